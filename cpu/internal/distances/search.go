package distances

import (
	"context"
	"math/bits"
	"unsafe"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// row has a bit for each source.
type row [engine.DistanceLanes / 64]uint64

// interval is the number of vertices between two looks at the context.
const interval = 1 << 12

// Search is the state of one goroutine's searches.
type Search struct {
	kernels kernels
	state
	own       []engine.Found // of a block with Own, by source of the batch
	tally     tally
	got, want [1]float64
}

// frame is the part of a search that kernels see. Between levels next is 0, and here is 0 outside
// the frontier. After a pull, here is 0 everywhere.
type frame struct {
	heads      []int64  // offsets of out-arcs
	tips       []uint32 // where out-arcs end
	offsets    []int64  // of in-arcs
	targets    []uint32 // where in-arcs begin
	seen       []row    // by vertex: sources that have reached it
	here, next []row    // by vertex: sources that reach it in this level, and in the next
	before     []row    // by vertex: in a pull, sources that reached it in earlier levels
	listed     []bool   // by vertex: it is in coming, while coming is made
	all        row      // the sources
	found      []engine.Found
	level      uint64 // of coming
	inverse    uint64 // of level, in units of Found.Harmonic
	edges      uint64 // in-arcs of the vertices with new sources in a pull
	left       uint64 // in-arcs of the vertices that miss a source after a pull
	reached    uint64 // pairs of source and vertex that are connected
	scratch    row    // room for a kernel
}

// state is the state of a search from a row of sources in a block.
type state struct {
	frame
	frontier []uint32 // vertices of this level
	coming   []uint32 // of the next
	open     []uint32 // all vertices that miss a source, and maybe others, from the first pull on
	opened   bool     // there was a pull
	closed   []uint32 // vertices completed since the last pull began: before lacks their last sources
	pulled   bool     // the last level was a pull
	few      bool     // the last row of sources reached few vertices: see fewPullFrom
}

// New makes a Search. With portableOnly it uses only kernels in Go; the results are the same.
func New(portableOnly bool) *Search {
	if portableOnly {
		return &Search{kernels: portable()}
	}
	return &Search{kernels: kernelSets()[0]}
}

// Bytes returns the memory of a Search of the block.
func Bytes(b *preprocess.Block) int64 {
	bytes := RoomBytes(b.Vertices())
	if b.Own {
		bytes += found * int64(b.Lanes)
	}
	return bytes
}

// RoomBytes returns the memory that Touch touches.
func RoomBytes(vertices int) int64 {
	const rows, lists = 4 * 64, 4*4 + 1
	return int64(vertices) * (rows + lists + found)
}

const found = 48 // bytes of an engine.Found

// Run searches from the sources of a batch, and reuses the memory of the last one.
// The only error is the context's.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b)
	want := uint64(0)
	sources := b.Sources[batch.First : batch.First+batch.Count]
	s.own = s.own[:0]
	for len(sources) > 0 {
		row := sources[:min(len(sources), engine.DistanceLanes)]
		sources = sources[len(row):]
		for _, v := range row {
			if b.Reach != nil {
				want += uint64(b.Reach[v])
			} else {
				want += uint64(b.Vertices() - 1) // at most
			}
		}
		if err := s.row(ctx, b, row, want); err != nil {
			return engine.Result{}, err
		}
	}
	if b.Reach == nil {
		want = s.reached // there is no independent count
	}
	if b.Own {
		clear(s.found)
		for i, v := range b.Sources[batch.First : batch.First+batch.Count] {
			s.found[v] = s.own[i]
		}
	}
	s.got[0], s.want[0] = float64(s.reached), float64(want)
	return engine.Result{Batch: batch, Found: s.found, Got: s.got[:], Want: s.want[:], Together: true}, nil
}

// prepare makes room for a block, and clears the numbers of the last batch.
func (s *Search) prepare(b *preprocess.Block) {
	n := b.Vertices()
	s.heads, s.tips = b.Offsets, b.Targets
	s.offsets, s.targets = b.Reverse().Offsets, b.Reverse().Targets
	s.clearFrontier() // of a cancelled search
	s.reserve(n)
	s.seen, s.before, s.here, s.next = s.seen[:n], s.before[:n], s.here[:n], s.next[:n]
	s.listed, s.found = s.listed[:n], s.found[:n]
	clear(s.found)
	s.reached = 0
}

// reserve makes room for a block of n vertices.
func (s *Search) reserve(n int) {
	if cap(s.seen) >= n {
		return
	}
	n = pages.Grown(n, cap(s.seen))
	const words = len(row{})
	_, memory := pages.Aligned[uint64](nil, 4*words*n)
	rows := unsafe.Slice((*row)(unsafe.Pointer(unsafe.SliceData(memory))), 4*n)
	for i, at := range []*[]row{&s.seen, &s.before, &s.here, &s.next} {
		*at = rows[i*n : (i+1)*n : (i+1)*n]
	}
	s.listed, s.found = make([]bool, n), make([]engine.Found, n)
	for _, list := range []*[]uint32{&s.frontier, &s.coming, &s.open, &s.closed} {
		*list = make([]uint32, 0, n+1)
	}
}

// Touch makes room for blocks of up to so many vertices, and makes the system provide its pages.
func (s *Search) Touch(vertices int) {
	s.reserve(vertices)
	clear(s.listed)
	clear(s.found)
	for _, list := range [][]uint32{s.frontier, s.coming, s.open, s.closed} {
		clear(list[:cap(list)])
	}
}

// clearFrontier clears the bits of a level.
func (s *state) clearFrontier() {
	if !s.pulled {
		for _, v := range s.frontier {
			s.here[v] = row{}
		}
	}
	s.frontier, s.pulled = s.frontier[:0], false
}

// row searches from up to a row of sources, until the expected number of pairs is
// connected, or the frontier is empty.
func (s *Search) row(ctx context.Context, b *preprocess.Block, sources []uint32, expected uint64) error {
	clear(s.seen)
	s.all = row{}
	pairs, pull := s.reached, uint64(pullFrom)
	if s.few {
		pull = fewPullFrom
	}
	for i, v := range sources {
		bit := uint64(1) << (i % 64)
		s.all[i/64] |= bit
		s.seen[v][i/64] |= bit
		if s.here[v] == (row{}) {
			s.frontier = append(s.frontier, v)
		}
		s.here[v][i/64] |= bit
	}
	// In one component all sources reach every vertex, or most sources if it is directed.
	whole := b.Vertices() > engine.DistanceLanes/2 && (b.Reach == nil || int(b.Reach[0]) == b.Vertices()-1)
	s.left = uint64(len(b.Targets))
	s.open, s.closed, s.opened = s.open[:0], s.closed[:0], false
	s.level = 0
	if b.Own {
		s.own = append(s.own, make([]engine.Found, len(sources))...)
	}
	for len(s.frontier) > 0 && s.reached < expected && (b.Cutoff == 0 || s.level < uint64(b.Cutoff)) {
		s.level++
		s.inverse = (1<<engine.HarmonicBits + s.level/2) / s.level
		if !s.pulled {
			s.edges = s.countEdges()
		}
		step := s.push
		if whole && s.edges*pull > s.left {
			step = s.pull
		}
		if err := step(ctx); err != nil {
			return err
		}
		s.frontier, s.coming = s.coming, s.frontier
		if b.Own {
			if err := s.countOwn(ctx, b.Counted(), s.own[len(s.own)-len(sources):]); err != nil {
				return err
			}
		}
	}
	s.few = fewReached*(s.reached-pairs) < uint64(len(sources)*b.Vertices())
	s.clearFrontier()
	return nil
}

const (
	// pullFrom: a level is pulled if pullFrom times the edges of the frontier are more than the edges of
	// vertices that miss a source.
	pullFrom = 4
	// fewPullFrom is pullFrom for sources that reach few vertices, as in graphs without cycles. A pull ends early at
	// vertices that miss no source, and they have none.
	fewPullFrom = 2
	// fewReached: sources reach few vertices if they reach less than one in so many, on average. The last sources that
	// this Search had are taken for an example. Measured: docs/decisions/017-distances-by-bits.md.
	fewReached = 4
)

// countEdges returns the number of edges of the frontier.
func (s *state) countEdges() (sum uint64) {
	for _, v := range s.frontier {
		sum += uint64(s.heads[v+1] - s.heads[v])
	}
	return sum
}

// push computes a level from the frontier to its neighbours.
func (s *Search) push(ctx context.Context) error {
	if s.pulled {
		for _, v := range s.frontier {
			for i := range s.here[v] {
				s.here[v][i] = s.seen[v][i] &^ s.before[v][i]
			}
		}
		s.pulled = false
	}
	s.coming = s.coming[:0]
	for first := 0; first < len(s.frontier); first += interval {
		if ctx.Err() != nil {
			return s.leave(ctx)
		}
		listed := len(s.coming)
		listed += s.kernels.push(&s.frame, s.frontier[first:min(first+interval, len(s.frontier))], s.coming[listed:cap(s.coming)])
		s.coming = s.coming[:listed]
	}
	for first := 0; first < len(s.coming); first += interval {
		if ctx.Err() != nil {
			return s.leave(ctx)
		}
		s.kernels.settle(&s.frame, s.coming[first:min(first+interval, len(s.coming))])
	}
	s.here, s.next = s.next, s.here
	return nil
}

// leave clears the bits of an incomplete level, after the context has ended.
func (s *Search) leave(ctx context.Context) error {
	for _, v := range s.coming {
		s.next[v], s.listed[v] = row{}, false
	}
	return ctx.Err()
}

// pull computes a level from neighbours to the vertices that miss a source. It takes all sources of
// a neighbour: those of the last level are new, or seen; all earlier ones have
// reached the vertex already.
func (s *Search) pull(ctx context.Context) error {
	if !s.pulled {
		for _, v := range s.frontier {
			s.here[v] = row{}
		}
		s.pulled = true
	}
	if !s.opened {
		for v := range s.seen {
			s.open = append(s.open, uint32(v))
		}
		s.opened = true
	}
	s.seen, s.before = s.before, s.seen
	for _, v := range s.closed {
		s.seen[v] = s.all
	}
	s.edges, s.left = 0, 0
	kept, fresh, closed := 0, 0, 0
	for first := 0; first < len(s.open); first += interval {
		if err := ctx.Err(); err != nil {
			return err
		}
		list := s.open[first:min(first+interval, len(s.open))]
		k, f := s.kernels.pull(&s.frame, list, s.open[kept:cap(s.open)], s.coming[fresh:cap(s.coming)], s.closed[closed:cap(s.closed)])
		kept, fresh, closed = kept+k, fresh+f, closed+len(list)-k
	}
	s.open, s.coming, s.closed = s.open[:kept], s.coming[:fresh], s.closed[:closed]
	return nil
}

// countOwn adds to each source's Found the counted vertices that it reaches in this level.
func (s *Search) countOwn(ctx context.Context, counted []bool, own []engine.Found) error {
	for i, v := range s.frontier {
		if i%interval == 0 && ctx.Err() != nil {
			s.tally = tally{}
			return ctx.Err()
		}
		if counted != nil && !counted[v] {
			continue
		}
		met := s.here[v]
		if s.pulled {
			for i := range met {
				met[i] = s.seen[v][i] &^ s.before[v][i]
			}
		}
		s.tally.add(&met)
	}
	s.tally.each(func(lane int, x uint64) {
		found := &own[lane]
		found.Reach += x
		found.Farness += x * s.level
		high, low := bits.Mul64(x, s.inverse)
		var carry uint64
		found.Harmonic, carry = bits.Add64(found.Harmonic, low, 0)
		found.HarmonicHigh += high + carry
		found.Eccentricity = s.level
	})
	return nil
}

// count adds to the Found of a vertex the number of sources that reach it in this level.
func (f *frame) count(v uint32, sources int) {
	found, x := &f.found[v], uint64(sources)
	found.Reach += x
	found.Farness += x * f.level
	found.Harmonic += x * f.inverse
	found.Eccentricity = max(found.Eccentricity, f.level)
	f.reached += x
}

// size returns the number of sources in a row.
func (r *row) size() (count int) {
	for _, word := range r {
		count += bits.OnesCount64(word)
	}
	return count
}
