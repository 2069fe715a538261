package survey

import (
	"bcstage/gpu/internal/driver"
	"bcstage/preprocess"
)

// ChainSizes are the sizes that determine the memory of a block with chains.
type ChainSizes struct {
	Junctions, Inside int
	Arms              int
	Leads             int // number of leads over a chain: see kernels/chains.cl
	Roots             int // at most, in a pack or a wave
	Mean              int // roots of a pack, on average
	Lanes             int // sources of a batch
}

func ChainSizesOf(b *preprocess.Block) (c ChainSizes) {
	if !b.Kind().Chained() {
		return c
	}
	longest := 0
	for e := range b.Chains.Ends {
		longest = max(longest, b.Chains.Length(e))
	}
	most, mean := b.RootsOf((b.Lanes + driver.Team - 1) / driver.Team * driver.Team)
	return ChainSizes{
		Junctions: len(b.Chains.Junctions), Inside: len(b.Chains.Inner), Arms: 2 * len(b.Chains.Ends),
		Leads: 2*longest + 1, Roots: most, Mean: mean, Lanes: b.Lanes,
	}
}
