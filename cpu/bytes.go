package cpu

import "bcstage/preprocess"

// Bytes is the memory that a Worker for the plan comes to hold: the state of the
// block that needs most, of those searched by lanes and of those searched by
// chains. With mostLanes above 0 it is what it would be if no batch had more
// sources.
//
// Per vertex and lane it is one number; per vertex 44 bytes of masks, lists and
// scores; and 12 bytes per frontier entry, of which Block.Entries are expected:
// a search that finds more makes more room. Rounding by the allocator is left
// out.
func Bytes(plan *preprocess.Plan, precision Precision, mostLanes int) int64 {
	var byLanes, byChains int64
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		lanes := b.Lanes
		if mostLanes > 0 {
			lanes = min(lanes, mostLanes)
		}
		switch {
		case b.Chains != nil:
			byChains = max(byChains, chainBytes(b, lanes))
		case precision == Float32:
			byLanes = max(byLanes, laneBytes(b, 4*rowLanes[float32](lanes), lanes))
		default:
			byLanes = max(byLanes, laneBytes(b, 8*rowLanes[float64](lanes), lanes))
		}
	}
	return byLanes + byChains
}

// laneBytes is for rows of so many bytes.
func laneBytes(b *preprocess.Block, row, lanes int) int64 {
	n := int64(b.Vertices())
	masks := int64(3 * 8)     // seen, here, next
	lists := int64(4 + 8 + 8) // list, listMask, scores
	entries := int64(4+8) * int64(entryRoom(b, lanes))
	return n*(int64(row)+masks+lists) + entries
}

// entryRoom is how many frontier entries a batch makes room for at once: a third
// more than the landmarks saw, since they are a sample, no more than there can
// be, and one per vertex for candidates.
func entryRoom(b *preprocess.Block, lanes int) int {
	n := b.Vertices()
	return min(b.Entries+b.Entries/3, n*lanes) + n + 1
}

// chainBytes is the sum of what newSkeleton, newTally, newLoad, newFan,
// newChainSearch and newRoot make.
func chainBytes(b *preprocess.Block, lanes int) int64 {
	c := b.Chains
	longest := 0
	for e := range c.Ends {
		longest = max(longest, c.Length(e))
	}
	const (
		vertex   = 8 + 8                               // place, score
		slot     = 16 + 40 + 8                         // span, slotTally, source
		junction = 8 + 8 + 4 + 8 + 3*8 + 4 + 8 + 8 + 8 // weights, arms, tally, load, fan, rootOf, queue
		chain    = 40 + 4 + 2*12 + 4 + 24 + 8 + 4 + 1  // whole, slot, arms, hollow, tally, load, opened
		position = 3*8 + 8*8 + 4                       // fan, queue
		root     = 4 + 8 + 4 + 4                       // by junction
	)
	junctions := int64(len(c.Junctions))
	return int64(b.Vertices())*vertex + int64(len(c.Inner)+len(c.Ends))*slot +
		junctions*junction + int64(len(c.Ends))*chain + int64(longest)*position +
		int64(b.MostRoots(lanes))*junctions*root
}
