package preprocess

import (
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
	"bcstage/internal/wholes"
)

const (
	// chainLanes is the number of sources per batch of a block with chains. A batch searches from every junction that
	// its sources hang on, and visits the block once besides. Of luxembourg.osm, 64 sources hang on 10.9 junctions, 512
	// on 64; 64 sources per batch take 1.3 times as long.
	chainLanes = 512
	// chainGain is how much smaller chains^2 must be than n*m. At this ratio, grids and random cubic graphs whose edges
	// are cut into chains are searched twice as fast as by lanes of AVX-512, and at 25 five times as fast
	// (BenchmarkChains in package cpu).
	chainGain = 10
	// lengthGain is chainGain for blocks whose arcs have lengths, where lanes are slower. At 5, chains take as long as
	// lanes on grids, and half as long on random cubic graphs.
	lengthGain = 5
)

// findChains is the step "chains": it finds the chains of the blocks that gain by them. Searches from junctions serve all
// vertices inside their chains together, and no drawn one alone. So few draws take blocks without chains.
func (r *reducer) findChains(ctx context.Context, _ wholes.Forms) error {
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		if b.Chains != nil || b.Directed() || b.HasFlows() { // of a contracted block, searches add up flows
			continue
		}
		inside := parallel.Total(r.opts.Threads, b.Vertices(), parallel.Interval, func(lo, hi int) (count int64) {
			for v := lo; v < hi; v++ {
				if b.Offsets[v+1]-b.Offsets[v] == 2 {
					count++
				}
			}
			return count
		})
		gain := float64(chainGain)
		if b.HasLengths() {
			gain = lengthGain
		}
		sources, m := float64(b.Vertices()), float64(b.Edges())
		if r.opts.Draws > 0 {
			sources = min(sources, float64(r.opts.Draws))
		}
		chains := m - float64(inside) // every vertex inside makes one of two edges
		if gain*chains*chains > sources*m {
			continue
		}
		if r.edges != nil {
			if !b.splittable() {
				continue
			}
			if err := b.split(ctx, r.edges); err != nil {
				return err
			}
		}
		var err error
		if b.Chains, err = csr.FindChains(ctx, &b.Graph); err != nil {
			return err
		}
	}
	return nil
}
