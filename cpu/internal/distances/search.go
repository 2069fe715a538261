package distances

import (
	"context"
	"math/bits"

	"bcstage/preprocess"
)

// row has a bit for each source.
type row [preprocess.DistanceLanes / 64]uint64

// interval is how many vertices a level passes between two looks at the context.
const interval = 1 << 12

// Search is the state of one goroutine's searches. The zero value is ready.
type Search struct {
	kernels kernels
	state
	got, want [1]float64
}

// state of the search of a row of sources in a block. Outside of a level, here has
// bits for the vertices of frontier alone, and next none.
type state struct {
	graph      *preprocess.Graph  // from vertices to where arcs lead
	reverse    *preprocess.Graph  // and back
	seen       []row              // by vertex: sources that have met it
	here, next []row              // by vertex: sources that meet it in this level, and in the next
	frontier   []uint32           // vertices of this level
	coming     []uint32           // of the next
	listed     []bool             // by vertex: is in coming, while that is made
	open       []uint32           // all vertices that some source has not met, and maybe others; nil: not known
	all        row                // the sources
	found      []preprocess.Found // by vertex
	level      uint64             // of coming
	inverse    uint64             // of level, in units of Found.Harmonic
	reached    uint64             // sources and vertices that have met
}

// Bytes is the memory of a Search of the block.
func Bytes(b *preprocess.Block) int64 {
	const rows, lists, found = 3 * 64, 3*4 + 1, 32
	return int64(b.Vertices()) * (rows + lists + found)
}

// Run searches from the sources of a batch, and reuses the memory of the last one.
// The only error is the context's.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch preprocess.Batch) (preprocess.Result, error) {
	if s.kernels.push == nil {
		s.kernels = kernelSets()[0]
	}
	s.prepare(b)
	want := uint64(0)
	sources := b.Sources[batch.First : batch.First+batch.Count]
	for len(sources) > 0 {
		row := sources[:min(len(sources), preprocess.DistanceLanes)]
		sources = sources[len(row):]
		for _, v := range row {
			if b.Reach != nil {
				want += uint64(b.Reach[v])
			} else {
				want += uint64(b.Vertices() - 1) // at most
			}
		}
		if err := s.row(ctx, b, row, want); err != nil {
			return preprocess.Result{}, err
		}
	}
	if b.Reach == nil {
		want = s.reached // nobody knows better
	}
	s.got[0], s.want[0] = float64(s.reached), float64(want)
	return preprocess.Result{Batch: batch, Found: s.found, Got: s.got[:], Want: s.want[:], Together: true}, nil
}

// prepare makes room for a block, and clears what the last batch left.
func (s *Search) prepare(b *preprocess.Block) {
	n := b.Vertices()
	s.graph, s.reverse = &b.Graph, b.Reverse()
	if cap(s.seen) < n {
		s.seen, s.here, s.next = make([]row, n), make([]row, n), make([]row, n)
		s.listed, s.found = make([]bool, n), make([]preprocess.Found, n)
		s.frontier, s.coming, s.open = make([]uint32, 0, n+1), make([]uint32, 0, n+1), make([]uint32, 0, n)
	}
	// A search that was cut short leaves rows.
	for _, v := range s.frontier {
		s.here[v] = row{}
	}
	s.seen, s.here, s.next = s.seen[:n], s.here[:n], s.next[:n]
	s.listed, s.found = s.listed[:n], s.found[:n]
	clear(s.found)
	s.reached = 0
}

// row searches from up to a row of sources, until as many pairs have met as are
// expected by then, or no more do.
func (s *Search) row(ctx context.Context, b *preprocess.Block, sources []uint32, expected uint64) error {
	clear(s.seen)
	s.all = row{}
	s.frontier = s.frontier[:0]
	for i, v := range sources {
		bit := uint64(1) << (i % 64)
		s.all[i/64] |= bit
		s.seen[v][i/64] |= bit
		if s.here[v] == (row{}) {
			s.frontier = append(s.frontier, v)
		}
		s.here[v][i/64] |= bit
	}
	// In one component every vertex is met by all, or by most if it is directed.
	whole := b.Vertices() > preprocess.DistanceLanes/2 && (b.Reach == nil || int(b.Reach[0]) == b.Vertices()-1)
	open, known := int64(len(b.Targets)), false
	s.level = 0
	for len(s.frontier) > 0 && s.reached < expected && (b.Cutoff == 0 || s.level < uint64(b.Cutoff)) {
		s.level++
		s.inverse = (1<<preprocess.HarmonicBits + s.level/2) / s.level
		s.coming = s.coming[:0]
		if whole && s.edges()*pullFrom > open {
			if !known {
				s.open = s.open[:0]
				for v := range b.Vertices() {
					s.open = append(s.open, uint32(v))
				}
				known = true
			}
			left, err := s.pull(ctx)
			if err != nil {
				return err
			}
			open = left
		} else if err := s.push(ctx); err != nil {
			return err
		}
		for _, v := range s.frontier {
			s.here[v] = row{}
		}
		s.here, s.next = s.next, s.here
		s.frontier, s.coming = s.coming, s.frontier
	}
	for _, v := range s.frontier {
		s.here[v] = row{}
	}
	s.frontier = s.frontier[:0]
	return nil
}

// pullFrom is how many times as many edges the vertices of a level may have, at
// least, as those that are not met by all, for the latter to look for the former.
const pullFrom = 4

// edges of the frontier.
func (s *state) edges() (sum int64) {
	for _, v := range s.frontier {
		sum += s.graph.Offsets[v+1] - s.graph.Offsets[v]
	}
	return sum
}

// push goes from the frontier to its neighbours.
func (s *Search) push(ctx context.Context) error {
	for first := 0; first < len(s.frontier); first += interval {
		if err := ctx.Err(); err != nil {
			return s.abandon(err)
		}
		for _, v := range s.frontier[first:min(first+interval, len(s.frontier))] {
			listed := len(s.coming)
			listed += s.kernels.push(&s.here[v], s.graph.Neighbours(v), s.seen, s.next, s.listed, s.coming[listed:cap(s.coming)])
			s.coming = s.coming[:listed]
		}
	}
	for _, v := range s.coming {
		s.listed[v] = false
		s.count(v, s.kernels.settle(&s.seen[v], &s.next[v]))
	}
	return nil
}

// pull goes to the vertices that some source has not met from their neighbours. It
// returns the edges of those that are left.
func (s *Search) pull(ctx context.Context) (left int64, err error) {
	kept := 0
	for first := 0; first < len(s.open); first += interval {
		if err := ctx.Err(); err != nil {
			return 0, s.abandon(err)
		}
		for _, v := range s.open[first:min(first+interval, len(s.open))] {
			targets := s.reverse.Neighbours(v)
			fresh, open := s.kernels.pull(&s.seen[v], &s.all, targets, s.here, &s.next[v])
			if fresh > 0 {
				s.coming = append(s.coming, v)
				s.count(v, fresh)
			}
			if open {
				s.open[kept] = v
				kept++
				left += int64(len(targets))
			}
		}
	}
	s.open = s.open[:kept]
	return left, nil
}

// abandon leaves the state as the next search expects it.
func (s *Search) abandon(err error) error {
	for _, v := range s.coming {
		s.next[v], s.listed[v] = row{}, false
	}
	return err
}

// count takes note that so many sources have met a vertex in this level.
func (s *state) count(v uint32, sources int) {
	f, x := &s.found[v], uint64(sources)
	f.Reach += x
	f.Farness += x * s.level
	f.Harmonic += x * s.inverse
	f.Eccentricity = max(f.Eccentricity, s.level)
	s.reached += x
}

// size is how many sources a row has.
func (r *row) size() (count int) {
	for _, word := range r {
		count += bits.OnesCount64(word)
	}
	return count
}
