package preprocess

import "bcstage/internal/engine"

// chooseLanes returns the number of sources per batch for a block of the given number of
// vertices: all that a mask holds. Fewer lanes do not save enough time for a rule, since
// kernels skip cache lines of a row in which a frontier entry has no lanes. 16 or 32 lanes
// take 0.9 to 1.2 times as long on large blocks of any kind, 1.1 to 1.4 times on small ones
// (docs/decisions/001-sixty-four-lanes.md).
func chooseLanes(vertices int) int {
	return min(engine.MaxLanes, vertices)
}

// mostLanes is the largest number of sources per batch of any block of the kind.
func (b *Block) mostLanes() int {
	const bits = engine.DistanceLanes * mostDistanceRows
	return [...]int{
		engine.KindHops: engine.MaxLanes, engine.KindLengths: engine.MaxLanes,
		engine.KindChains: chainLanes, engine.KindChainLengths: chainLanes,
		engine.KindReach: bits, engine.KindLengthReach: bits,
		engine.KindChainReach: roadLanes,
	}[b.Kind()]
}

// LanesOf returns the number of sources of a batch of the block if the plan had been made
// for that many lanes, at most the block's own. Searches by bits take several times as many.
func (b *Block) LanesOf(lanes int) int {
	switch b.Kind() {
	case engine.KindReach:
		lanes = distanceLanes(b.Vertices(), lanes)
	case engine.KindChainReach:
		lanes *= roadLanes / engine.MaxLanes
	}
	return min(lanes, b.Lanes)
}
