package chains

import "bcstage/preprocess"

// Bytes returns the memory that a Search needs for a block in batches of up to
// lanes sources: the memory of newSkeleton, newTally, newLoad, newFan, newSearch
// and newRoot.
func Bytes(b *preprocess.Block, lanes int) int64 {
	c := b.Chains
	most := 0
	for e := range c.Ends {
		most = max(most, c.Length(e))
	}
	const (
		vertex   = 8 + 8                           // place, score
		slot     = 8 + 40 + 8                      // weight, slotTally, source
		position = 8                               // by slot, with lengths
		junction = 8 + 8 + 4 + 8 + 3*8 + 4 + 8 + 4 // weights, arms, tally, load, fan, number
		queued   = 2 * 4                           // by junction
		chain    = 24 + 4 + 2*16 + 4 + 24 + 12 + 1 // whole, slot, arms, hollow, tally, load, opened
		places   = 8 + 32 + 3*8 + 8*8              // fan
		root     = 8 + 8 + 4 + 4                   // by junction
	)
	junctions, slots := int64(len(c.Junctions)), int64(len(c.Inner)+len(c.Ends))
	roots, _ := b.RootsOf(lanes)
	bytes := slots * slot
	if b.HasLengths() {
		bytes += slots * position
	}
	return bytes + int64(b.Vertices())*vertex +
		junctions*(junction+queued) + int64(len(c.Ends))*chain + int64(most)*places +
		int64(roots)*junctions*root
}
