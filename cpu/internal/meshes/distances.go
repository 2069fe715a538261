package meshes

import (
	"context"
	"errors"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Distances computes distances alone (Block.Distances) in meshes. It searches from a row of lanes
// at a time. It keeps its state from batch to batch,
// and is for one goroutine at a time.
type Distances struct {
	leveller
	inverses []uint64 // by level: of Found.Harmonic
	found    []engine.Found
	got      [1]float64
	want     [1]float64
}

const (
	// wideRow is the least distance, in a mesh, from the first source of a row of bits to the farthest. A
	// search by bits then reaches a vertex in up to twice as many levels.
	wideRow = 12
	// wideBlock is the least number of vertices in a mesh. The rows of bits of fewer stay in near caches.
	wideBlock = 1 << 12
	// ballArcs is the largest number of arcs nearer than wideRow in a mesh.
	ballArcs = 1 << 14
	// mostLevels is the largest depth for which levels fit in 16 bits, wherever the sources are.
	mostLevels = 1 << 12
	// ballLanes is the number of sources that share the ranks of vertices. Sums of so many levels fit 32 bits.
	ballLanes = 4 * lanes
)

// NewDistances makes a Distances. With portableOnly it uses only kernels in Go; the results are the same.
func NewDistances(portableOnly bool) *Distances {
	s := &Distances{leveller: leveller{width: lanes, byLevel: kernelSets()[0].levelKernels}}
	if portableOnly {
		s.byLevel = portableLevels()
	}
	return s
}

// Suits says whether a Distances takes a block of one undirected component. The block may still be too deep: see ErrDeep.
func Suits(b *preprocess.Block) bool {
	return Fits(b) && !b.Directed() && b.Cutoff == 0 && !b.Own && b.Reach != nil && len(b.Sources) > 0 && int(b.Reach[0]) == b.Vertices()-1
}

// Wide says whether such a block has many vertices and looks like a mesh near its first sources: sources that share a
// row of bits are far from one another, with few arcs between them.
func Wide(b *preprocess.Block) bool {
	if b.Vertices() < wideBlock {
		return false
	}
	met := make([]bool, b.Vertices())
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
	return slices.ContainsFunc(b.Sources[:min(len(b.Sources), engine.DistanceLanes)], func(v uint32) bool { return !met[v] })
}

// ErrDeep says that a block has more levels than a Distances can hold. Another walk must take the block.
var ErrDeep = errors.New("more levels than 16 bits hold")

// begin makes room for a block, unless it is too deep.
func (s *Distances) begin(ctx context.Context, b *preprocess.Block) error {
	s.lay(b)
	err := s.flood(ctx, b.Sources)
	if err == nil && len(s.ends) > mostLevels {
		err = ErrDeep
	}
	if err != nil {
		s.block = nil // the next Run must begin again
	}
	return err
}

// Run computes a batch. The only errors are the context's and ErrDeep.
func (s *Distances) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	if s.block != b {
		if err := s.begin(ctx, b); err != nil {
			return engine.Result{}, err
		}
	}
	n := b.Vertices()
	s.found, s.most, s.inverse = pages.Cleared(s.found, n), pages.Resize(s.most, n), pages.Resize(s.inverse, n)
	if s.inverses == nil {
		s.inverses = make([]uint64, far+1)
		for d := uint64(1); d <= far; d++ {
			s.inverses[d] = (1<<engine.HarmonicBits + d/2) / d
		}
		s.digits = digitsOf(s.inverses)
	}
	s.got, s.want = [1]float64{}, [1]float64{}
	sources := b.Sources[batch.First : batch.First+batch.Count]
	for left := sources; len(left) > 0; {
		ball := left[:min(len(left), ballLanes)]
		left = left[len(ball):]
		if err := s.searchBall(ctx, ball); err != nil {
			return engine.Result{}, err
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
	return engine.Result{Batch: batch, Found: s.found, Got: s.got[:], Want: s.want[:], Together: true}, nil
}

// searchBall searches from sources near one another, which share the ranks of vertices.
func (s *Distances) searchBall(ctx context.Context, sources []uint32) error {
	clear(s.sums)
	clear(s.most)
	clear(s.inverse)
	if err := s.flood(ctx, sources); err != nil {
		return err
	}
	seat, collect, width := s.seat, s.collect, lanes
	if s.isShort = len(s.ends)-1+s.levelOfLast(sources) < shortFar; s.isShort {
		seat, collect, width = s.seatShort, s.collectShort, shortLanes
	}
	for len(sources) > 0 {
		row := sources[:min(len(sources), width)]
		sources = sources[len(row):]
		for _, step := range []func(context.Context, []uint32) error{seat, s.settle, collect} {
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

// seatShort is seat for short levels, as collectShort is collect.
func (s *Distances) seatShort(_ context.Context, sources []uint32) error {
	s.farthest = s.levelOfLast(sources)
	s.blank(0, s.ends[s.farthest])
	for i := range shortLanes {
		s.setShort(s.rankOf[sourceOf(sources, i)]-1, i, 0)
	}
	return nil
}

func (s *Distances) collectShort(ctx context.Context, sources []uint32) error {
	return s.add(ctx, s.byLevel.collectShort, shortLanes-len(sources), func(r uint32) int { return int(s.short(r, 0)) })
}

// collect adds up the levels by rank.
func (s *Distances) collect(ctx context.Context, sources []uint32) error {
	return s.add(ctx, s.byLevel.collect, lanes-len(sources), func(r uint32) int { return int(s.levelsOf(r)[0]) })
}

// add adds up the levels by a kernel. It then subtracts the lanes without a source of their own. They repeat
// lane 0, whose level of a rank first returns.
func (s *Distances) add(ctx context.Context, kernel func(f *frame, inverses []uint64, from, to int), repeats int, first func(r uint32) int) error {
	n := len(s.found)
	for from := 0; from < n; from += segment {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		kernel(&s.frame, s.inverses, from, min(from+segment, n))
	}
	if repeats > 0 {
		for r := range n {
			again := first(uint32(r))
			s.sums[r] -= uint32(repeats * again)
			s.inverse[r] -= uint64(repeats) * s.inverses[again]
		}
	}
	return nil
}

// DistanceBytes returns the memory that a Distances needs for a block.
func DistanceBytes(b *preprocess.Block) int64 {
	const perVertex = 2*lanes + 48 + 8 + 1 + 9*4 // levels, found, inverse, open; order, offsets, sums, most, changed, dirty, inOrder, rankOf and the ends of levels
	return int64(b.Vertices())*perVertex + 4*int64(len(b.Targets)) + 8*(far+1) + (shortFar+1)*digitRow
}
