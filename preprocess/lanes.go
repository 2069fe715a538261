package preprocess

// MaxLanes is the largest number of sources in a batch: one bit each of a
// 64-bit mask.
const MaxLanes = 64

// chooseLanes is the number of sources per batch for a block of the given
// number of vertices: all that a mask holds. Fewer save no time worth a rule,
// since kernels leave out cache lines of a row that a frontier entry has no
// lanes in: 16 or 32 take 0.9 to 1.2 times as long on large blocks of any kind,
// 1.1 to 1.4 times on small ones (docs/decisions/001-sixty-four-lanes.md).
func chooseLanes(vertices int) int {
	return min(MaxLanes, vertices)
}

// LanesOf returns how many sources a batch of the block would have if the plan had been made
// for so many lanes, no more than it has: what is found by bits takes several times as many.
func (b *Block) LanesOf(lanes int) int {
	switch b.Kind() {
	case KindReach:
		lanes = distanceLanes(b.Vertices(), lanes)
	case KindChainReach:
		lanes *= roadLanes / MaxLanes
	}
	return min(lanes, b.Lanes)
}

// DistanceLanes is how many sources share a row of bits: those of a cache line.
const DistanceLanes = 512
