package streets

import (
	"context"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// In a block with bare chains (preprocess.Block.Bare) paths only lead from junction to junction. Every source is a root of
// its own, and its search ends where no more paths count. The distance of a junction gives its seed (preprocess.Block.Seed,
// or trips). The backward pass is that of load.pass, over the junctions that the search has reached.

// newBare makes a Search for such a block.
func newBare(b *preprocess.Block, k *skeleton) *Search {
	junctions := len(k.Junctions)
	s := &Search{
		block: b, skeleton: k,
		tally:  newTally(k),
		load:   load{delta: make([]float64, junctions)},
		roots:  []*root{newRoot(k)},
		scores: make([]float64, b.Vertices()),
	}
	if b.HasTrips() {
		s.seeds, s.wanted = make([]float64, junctions), make([]bool, junctions)
	}
	return s
}

// runBare computes a batch.
func (s *Search) runBare(ctx context.Context, sources []uint32, batch engine.Batch) (engine.Result, error) {
	s.tally.clear()
	s.got[0], s.want[0], s.work = 0, 0, engine.Work{}
	inRange := true
	for _, v := range sources {
		ok, err := s.searchBare(ctx, v)
		if err != nil {
			return engine.Result{}, err
		}
		inRange = inRange && ok
		if err := s.passBare(ctx); err != nil {
			return engine.Result{}, err
		}
		for _, x := range s.block.WaivedBy(v) {
			j := s.places[x.Target].index
			s.seeds[j], s.wanted[j] = 0, false
		}
	}
	return sent{found{s, inRange}}.result(batch), nil
}

// searchBare searches from a source to the last junction that counts.
func (s *Search) searchBare(ctx context.Context, v uint32) (inRange bool, err error) {
	end := everywhere()
	if s.block.Cutoff > 0 {
		end.farthest = int64(s.block.Cutoff)
	}
	if s.wanted != nil {
		end.targets = s.wanted
		for _, x := range s.block.WaivedBy(v) {
			j := s.places[x.Target].index
			s.seeds[j], s.wanted[j] = -x.Mass, true
			end.count++
		}
	}
	return s.roots[0].search(ctx, s.skeleton, &s.queue, anchor{s.places[v].index, s.block.From[v]}, end)
}

// seed returns the target mass, or trips, from the root to junction x.
func (s *Search) seed(r *root, x uint32) float64 {
	switch {
	case s.seeds != nil:
		return s.seeds[x]
	case s.block.Decay != nil:
		return s.block.Seed(s.Junctions[x], r.distance[x])
	}
	return s.weight[x]
}

// passBare takes the dependencies back to the root, from the farthest junction on, and adds them to the tally. load.delta
// is 0 before and after it.
func (s *Search) passBare(ctx context.Context) error {
	r, delta, t := s.roots[0], s.load.delta, &s.tally
	for i := len(r.order) - 1; i > 0; i-- {
		if i%checkEvery == 0 && ctx.Err() != nil {
			clear(delta)
			return ctx.Err()
		}
		x := r.order[i]
		seed := r.mass * s.seed(r, x)
		flow := seed + delta[x]
		s.want[0] += seed
		if flow == 0 {
			continue
		}
		t.score[x] += delta[x]
		delta[x] = 0
		if chain := r.last[x]; chain != several {
			s.crossBare(x, chain, flow)
			continue
		}
		flow /= r.sigma[x]
		for _, arm := range s.arms[s.first[x]:s.first[x+1]] {
			if r.distance[arm.to]+arm.length == r.distance[x] {
				s.crossBare(x, arm.chain, flow*r.sigma[arm.to])
			}
		}
	}
	s.got[0] += delta[r.from]
	delta[r.from] = 0
	s.work.FrontierEntries += int64(len(r.order))
	s.work.RowLoads += int64(len(r.met))
	return nil
}

// crossBare takes flow from junction x to the other end of a chain.
func (s *Search) crossBare(x, chain uint32, flow float64) {
	ends := &s.whole[chain].ends
	s.load.delta[ends[0]+ends[1]-x] += flow
	s.tally.chain[chain].through += flow
}

// bareBytes returns the memory that a Search needs for such a block: the memory of newSkeleton, newTally and newBare.
func bareBytes(b *preprocess.Block) int64 {
	c := b.Chains
	const (
		vertex   = 8 + 8                                       // place, score
		slot     = 8 + 8 + 40                                  // weight, position, slotTally
		junction = 8 + 8 + 4 + 8 + 8 + 8 + 8 + 4 + 4 + 4 + 2*4 // weights, arms, tally, load; root, queue
		chain    = 24 + 4 + 2*16 + 4 + 24                      // whole, slot, arms, hollow, tally
	)
	junctions := int64(len(c.Junctions))
	bytes := int64(b.Vertices())*vertex + int64(len(c.Inner)+len(c.Ends))*slot + junctions*junction + int64(len(c.Ends))*chain
	if b.HasTrips() {
		bytes += junctions * (8 + 1)
	}
	return bytes
}
