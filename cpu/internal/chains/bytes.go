package chains

import "bcstage/preprocess"

// Bytes returns the memory that a Search needs for a block in batches of up to
// lanes sources: the memory of newSkeleton, newTally, newLoad, newFan, newSearch
// and newRoot.
func Bytes(b *preprocess.Block, lanes int) int64 {
	c := b.Chains
	longest := 0
	for e := range c.Ends {
		longest = max(longest, c.Length(e))
	}
	const (
		vertex   = 8 + 8                               // place, score
		slot     = 16 + 40 + 8                         // span, slotTally, source
		junction = 8 + 8 + 4 + 8 + 3*8 + 4 + 8 + 4 + 8 // weights, arms, tally, load, fan, number, queue
		chain    = 40 + 4 + 2*12 + 4 + 24 + 8 + 4 + 1  // whole, slot, arms, hollow, tally, load, opened
		position = 3*8 + 8*8 + 4                       // fan, queue
		root     = 4 + 8 + 4 + 4                       // by junction
	)
	junctions := int64(len(c.Junctions))
	roots, _ := b.RootsOf(lanes)
	return int64(b.Vertices())*vertex + int64(len(c.Inner)+len(c.Ends))*slot +
		junctions*junction + int64(len(c.Ends))*chain + int64(longest)*position +
		int64(roots)*junctions*root
}
