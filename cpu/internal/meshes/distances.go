package meshes

import (
	"context"
	"slices"

	"bcstage/preprocess"
)

// Distances computes batches of meshes that are searched for distances alone, Block.Distances,
// as many sources as there are lanes after the other. It keeps its state from batch to batch,
// and is for one goroutine at a time.
type Distances struct {
	leveller
	inverses []uint64 // by level: of Found.Harmonic
	found    []preprocess.Found
	got      [1]float64
	want     [1]float64
}

const (
	// wideRow is how far from the first some of the sources that share a row of bits are in a mesh, at
	// least. A vertex is then met in up to twice as many levels.
	wideRow = 12
	// ballArcs is how many arcs there are nearer than that in a mesh, at most.
	ballArcs = 1 << 14
	// mostLevels keeps levels in 16 bits, wherever sources are.
	mostLevels = 1 << 12
	// ballLanes is for how many sources vertices are ranked once. Sums of so many levels fit 32 bits.
	ballLanes = 4 * lanes
)

// NewDistances makes a Distances. Portable: with kernels in Go alone; the results are the same.
func NewDistances(portableOnly bool) *Distances {
	s := &Distances{leveller: leveller{width: lanes, byLevel: kernelSets[float64]()[0].levelKernels}}
	if portableOnly {
		s.byLevel = portableLevels()
	}
	return s
}

// Wide tells whether a block looks like a mesh where its first sources are: those that share a
// row of bits are far from one another, and few arcs between them.
func Wide(b *preprocess.Block) bool {
	n := b.Vertices()
	if b.In != nil || b.Cutoff > 0 || b.Lengths != nil || b.Reach == nil || int(b.Reach[0]) != n-1 || len(b.Sources) == 0 {
		return false
	}
	met := make([]bool, n)
	met[b.Sources[0]] = true
	ball, arcs := []uint32{b.Sources[0]}, 0
	for level, first := 1, 0; level < wideRow; level++ {
		outer := ball[first:]
		first = len(ball)
		for _, v := range outer {
			row := b.Neighbours(v)
			if arcs += len(row); arcs > ballArcs {
				return false
			}
			for _, u := range row {
				if !met[u] {
					met[u] = true
					ball = append(ball, u)
				}
			}
		}
	}
	return slices.ContainsFunc(b.Sources[:min(len(b.Sources), preprocess.DistanceLanes)], func(v uint32) bool { return !met[v] })
}

// Suits tells whether a block is a mesh, in which that is faster than to go from level to level
// with a row of bits. The only error is the context's.
func (s *Distances) Suits(ctx context.Context, b *preprocess.Block) (bool, error) {
	if !Wide(b) {
		return false, nil
	}
	s.lay(b)
	err := s.flood(ctx, b.Sources)
	return err == nil && len(s.ends) <= mostLevels, err
}

// Run computes a batch. The only error is the context's.
func (s *Distances) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	if s.block != b {
		s.lay(b)
	}
	n := b.Vertices()
	s.found, s.most, s.inverse = cleared(s.found, n), resize(s.most, n), resize(s.inverse, n)
	if s.inverses == nil {
		s.inverses = make([]uint64, far+1)
		for d := uint64(1); d <= far; d++ {
			s.inverses[d] = (1<<preprocess.HarmonicBits + d/2) / d
		}
	}
	s.got, s.want = [1]float64{}, [1]float64{}
	sources := b.Sources[batch.First : batch.First+batch.Count]
	for left := sources; len(left) > 0; {
		ball := left[:min(len(left), ballLanes)]
		left = left[len(ball):]
		if err := s.searchBall(ctx, ball); err != nil {
			return preprocess.Result{}, err
		}
	}
	for v := range s.found {
		s.found[v].Reach = uint64(batch.Count)
	}
	for _, v := range sources {
		s.found[v].Reach--
		s.want[0] += float64(b.Reach[v])
	}
	for _, f := range s.found {
		if f.Eccentricity < far {
			s.got[0] += float64(f.Reach)
		}
	}
	return preprocess.Result{Batch: batch, Found: s.found, Got: s.got[:], Want: s.want[:], Together: true}, nil
}

// searchBall searches from sources that are near to one another, for which vertices are ranked once.
func (s *Distances) searchBall(ctx context.Context, sources []uint32) error {
	clear(s.sums)
	clear(s.most)
	clear(s.inverse)
	if err := s.flood(ctx, sources); err != nil {
		return err
	}
	for len(sources) > 0 {
		row := sources[:min(len(sources), lanes)]
		sources = sources[len(row):]
		for _, step := range []func(context.Context, []uint32) error{s.seat, s.settle, s.collect} {
			if err := step(ctx, row); err != nil {
				return err
			}
		}
	}
	for r := range s.sums {
		f := &s.found[s.order[r]]
		f.Farness += uint64(s.sums[r])
		f.Harmonic += s.inverse[r]
		f.Eccentricity = max(f.Eccentricity, uint64(s.most[r]))
	}
	return nil
}

// collect adds up, by rank, what has been found.
func (s *Distances) collect(ctx context.Context, sources []uint32) error {
	n := len(s.found)
	for first := 0; first < n; first += segment {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.byLevel.collect(&s.frame, s.inverses, first, min(first+segment, n))
	}
	// Lanes without a source of their own have found what the first has.
	if repeats := uint64(lanes - len(sources)); repeats > 0 {
		for r := range n {
			again := s.levelsOf(uint32(r))[place(0)]
			s.sums[r] -= uint32(repeats) * uint32(again)
			s.inverse[r] -= repeats * s.inverses[again]
		}
	}
	return nil
}

// DistanceBytes is the memory that Distances comes to hold for a block.
func DistanceBytes(b *preprocess.Block) int64 {
	const perVertex = 2*lanes + 48 + 8 + 1 + 9*4 // levels, found, inverse, open; order, offsets, sums, most, changed, dirty, inOrder, rankOf and the ends of levels
	return int64(b.Vertices())*perVertex + 4*int64(len(b.Targets)) + 8*(far+1)
}
