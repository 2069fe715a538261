package gpu

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/survey"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// tryOut searches a ladder by each method that may be used, and compares with known
// results. A device or driver that fails here is of no use. Many drivers also load a
// kernel at its first launch, which is better done while edges are still being read. So
// Levels has two turns, with patches and without.
func tryOut(ctx context.Context, d *wave.Processor, o Options) error {
	for _, m := range o.methods() {
		degrees := []int{0}
		if m.Name() == methods.Levels {
			degrees = []int{0, 64}
		}
		for _, o.Mdeg = range degrees {
			plan := ladder()
			if o.flows(m) {
				plan.Blocks[0].Flows = ladderFlows(&plan.Blocks[0])
			}
			if err := try(ctx, d, o, m, plan); err != nil {
				return err
			}
		}
	}
	return nil
}

// tryLater is tryOut for blocks with chains, or with lengths, once a plan has some: few
// have. It uses the kernels for a block of this shape. With lengths, rails are twice as
// long as rungs, which does not change the ladder's paths.
func tryLater(ctx context.Context, d *wave.Processor, o Options, like wave.Shape) (err error) {
	o.Mdeg = 0
	plan, m := ladder(), like.Method
	b := &plan.Blocks[0]
	if m.Name() == methods.Lengths {
		unit := int64(1)
		if like.Wide {
			unit = survey.Farthest
		}
		for v := range uint32(b.Vertices()) {
			for _, u := range b.Neighbours(v) {
				b.Lengths = append(b.Lengths, unit*(2-int64(u^v)%2))
			}
		}
		if like.Directed {
			in := b.Graph
			b.In = &in
		}
		return try(ctx, d, o, m, plan)
	}
	if b.Chains, err = csr.FindChains(ctx, &b.Graph); err != nil {
		return err
	}
	b.Sources = b.Chains.Sources()
	return try(ctx, d, o, m, plan)
}

// try searches a ladder by one method.
func try(ctx context.Context, d *wave.Processor, o Options, m wave.Method, plan *preprocess.Plan) error {
	plan.Blocks[0].Distances = m.Name() == methods.Bitlanes
	o.Strategy = m.Name()
	o.MinBlock, o.Streams, o.Packs = 1, 1, 1
	found, err := survey.Look(ctx, &plan.Blocks[0], 1)
	if err != nil {
		return err
	}
	e := newEngine(d, o, plan, Surveys{0: found}, 1)
	if declined := e.Choices()[0].Declined; declined != "" {
		return fmt.Errorf("%w: %s", driver.ErrDevice, declined)
	}
	var wrong error
	err = e.Run(ctx, engine.Once(plan.Batches...), func(r engine.Result) error {
		for v, score := range r.Scores {
			if want := ladderScores[v/2]; !(math.Abs(score-want) <= 1e-5*want) {
				wrong = fmt.Errorf("%w: strategy %s: a known score is %g, not %g", driver.ErrDevice, o.Strategy, want, score)
			}
		}
		for edge, flow := range r.Flows {
			if want := ladderEdges[edge]; !(math.Abs(flow-want) <= 1e-5*want) {
				wrong = fmt.Errorf("%w: strategy %s: a known score of an edge is %g, not %g", driver.ErrDevice, o.Strategy, want, flow)
			}
		}
		for v, found := range r.Found {
			if want := ladderFound(v / 2); found != want {
				wrong = fmt.Errorf("%w: strategy %s: known distances are %v, not %v", driver.ErrDevice, o.Strategy, want, found)
			}
		}
		return nil
	})
	e.Release()
	return cmp.Or(err, wrong)
}

// ladder is a plan of one block, eight vertices as rungs of two: 0-1, 2-3, 4-5,
// 6-7, with rails 0-2-4-6 and 1-3-5-7; a single batch.
func ladder() *preprocess.Plan {
	block := preprocess.Block{Lanes: 8}
	block.Offsets = []int64{0}
	for v := range uint32(8) {
		for _, u := range []uint32{v - 2, v ^ 1, v + 2} {
			if u < 8 {
				block.Targets = append(block.Targets, u)
			}
		}
		block.Offsets = append(block.Offsets, int64(len(block.Targets)))
		block.From, block.To = append(block.From, 1), append(block.To, 1)
		block.Sources = append(block.Sources, v)
	}
	return &preprocess.Plan{
		Vertices: 8, Edges: 10, Blocks: []preprocess.Block{block},
		Batches: []engine.Batch{{Count: 8}},
	}
}

// ladderScores are the betweenness of a vertex of each rung, over ordered pairs.
var ladderScores = [4]float64{13. / 6, 71. / 6, 71. / 6, 13. / 6}

// ladderFlows numbers the edges of a ladder in the order of their smaller ends, then of the others.
func ladderFlows(b *preprocess.Block) *preprocess.Flows {
	f := &preprocess.Flows{}
	numbers := make(map[[2]uint32]uint32)
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			ends := [2]uint32{min(v, u), max(v, u)}
			if _, met := numbers[ends]; !met {
				numbers[ends] = uint32(len(f.Edges))
				f.Edges = append(f.Edges, numbers[ends])
			}
			f.Of = append(f.Of, numbers[ends])
		}
	}
	return f
}

// ladderEdges are the betweenness of the edges, over ordered pairs.
var ladderEdges = [10]float64{19. / 3, 12, 12, 29. / 3, 16, 16, 29. / 3, 12, 12, 19. / 3}

// ladderFound is the expected result at the vertices of a rung.
func ladderFound(rung int) (f engine.Found) {
	for other := range 4 {
		for _, d := range [2]int{max(rung-other, other-rung), max(rung-other, other-rung) + 1} {
			if d == 0 {
				continue // the vertex itself
			}
			low, high := methods.Inverse(uint32(d))
			f.Reach++
			f.Farness += uint64(d)
			f.Harmonic += uint64(low) + uint64(high)<<32
			f.Eccentricity = max(f.Eccentricity, uint64(d))
		}
	}
	return f
}
