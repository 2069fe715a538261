package acyclic

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// Search computes batches of acyclic blocks. It keeps its state from batch to batch, and
// is for one goroutine at a time.
type Search struct {
	frame
	sets struct {
		short, narrow, wide kernels
	}
	memory struct { // of rows, on large pages
		short  []int16
		narrow []int32
		counts []uint16
		rows   []float64
	}
	kernels kernels // for the distances of the block
	clear   func()  // marks the vertices of the list as unreached, and cuts it
	knotting

	block  *preprocess.Block
	ones   []int64  // lengths for a block without Lengths
	marked []uint64 // a bit for every vertex in the list; 0 between groups
	ahead  ahead
	segments
	deepest  int // the largest number of arcs of a path within the limit, plus one
	manyLeft int // groups that count in float64 at once, since an earlier group had to

	finding
	gots  [engine.MaxLanes]float64
	wants [engine.MaxLanes]float64
	work  engine.Work

	drawnMemory, squareMemory []float64 // of frame.drawn and squares, if a block has Draws
}

// segments are parts of the list that a kernel gets at a time.
type segments struct {
	cuts  []int // where they begin, and the last one ends; what is inside a knot is a segment of its own
	links int64 // arcs of the list
}

// New makes a Search with the kernels of an instruction set: go, avx2 or avx512. If the processor lacks it, New takes
// the best one before it. The results are the same.
func New(set string) *Search {
	s := &Search{}
	s.sets.short, s.sets.narrow, s.sets.wide = portable[int16](shortRows), portable[int32](narrowRows), portable[int64](wideRows)
	withKernels(set, &s.sets.short, &s.sets.narrow)
	return s
}

// Suits says whether a Search takes the block.
func Suits(b *preprocess.Block) bool {
	if !b.Directed() || b.Waived != nil {
		return false
	}
	if b.Ascends() || b.Kind().Reach() && b.In.Ascends() {
		return true
	}
	// On cycles it is unknown what a vertex stands for, and distances have 32 bits.
	return !b.Follow() && (csr.NearlyAscends(&b.Graph) || b.Kind().Reach() && csr.NearlyAscends(b.In)) && farOf(b, directionOf(b)) == farNarrow
}

// Run computes a batch. The only error is the context's.
func (s *Search) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b)
	s.flowGot = 0
	flowWant := 0.0
	sources := b.Sources[batch.First : batch.First+batch.Count]
	for first := 0; first < len(sources); first += lanes {
		group := sources[first:min(first+lanes, len(sources))]
		if err := s.group(ctx, batch.First+first, group); err != nil {
			s.listScores()
			return engine.Result{}, err
		}
		for i := range group {
			got, want := s.got[i], s.away[i]-s.reached[i]
			if b.HasLengths() {
				got, want = s.own[i], s.reached[i]
			}
			if !(s.most[i] <= engine.MostPaths) {
				got = math.NaN()
			}
			s.gots[first+i], s.wants[first+i] = got, want
			flowWant += s.source[i] * s.away[i]
		}
	}
	result := engine.Result{
		Batch: batch, Scores: s.scores, Got: s.gots[:batch.Count], Want: s.wants[:batch.Count], Work: s.work,
		Drawn: s.drawn, Squares: s.squares,
	}
	if s.listScores(); 2*len(s.at) < b.Vertices() && !b.HasDraws() {
		result.At = s.at
	}
	if b.HasFlows() {
		result.Flows, result.FlowGot, result.FlowWant = s.flows, s.flowGot, flowWant
	}
	return result, nil
}

// listScores lists the vertices with scores, which are in lists of the batch.
func (s *Search) listScores() {
	at, count := s.at[:cap(s.at)], 0
	for word, left := range s.touched {
		for ; left != 0; left &= left - 1 {
			v := uint32(word*64 + bits.TrailingZeros64(left))
			at[count] = v // no branch on whether it has a score
			score := math.Float64bits(s.scores[v])
			count += int((score | -score) >> 63)
		}
		s.touched[word] = 0
	}
	s.at = at[:count]
}

// prepare makes room for a block, and clears sums.
func (s *Search) prepare(b *preprocess.Block) {
	n := b.Vertices()
	s.work, s.drawn, s.squares = engine.Work{}, nil, nil
	if b.HasDraws() {
		s.drawnMemory, s.squareMemory = pages.Cleared(s.drawnMemory, n), pages.Cleared(s.squareMemory, n)
		s.drawn, s.squares, s.linear = s.drawnMemory, s.squareMemory, b.Linear
	}
	if b.HasFlows() {
		s.flows, s.arcFlow = pages.Cleared(s.flows, b.Flows.Count()), b.Flows.Of
	}
	if s.block == b {
		for _, v := range s.at {
			s.scores[v] = 0
		}
		return
	}
	s.scores, s.at = pages.Cleared(s.scores, n), pages.Reserve(s.at, n+1)
	s.weight, s.multiplicity, s.manyLeft, s.sends = b.To, b.Multiplicity, 0, b.HasFlows()
	s.start = pages.Cleared(s.start, n)
	s.memory.counts, s.counts = pages.InOrder(s.memory.counts, n*lanes)
	s.memory.rows, s.rows = pages.InOrder(s.memory.rows, n*lanes)
	s.prepareDistances(b)
}

// prepareDistances makes room for distances.
func (s *Search) prepareDistances(b *preprocess.Block) {
	n := b.Vertices()
	s.offsets, s.targets, s.lengths = b.Offsets, b.Targets, b.Lengths
	if !b.HasLengths() {
		s.ones = pages.Resize(s.ones, len(b.Targets))
		for i := range s.ones {
			s.ones[i] = 1
		}
		s.lengths = s.ones
	}
	s.list, s.marked, s.touched = pages.Resize(s.list, n+1)[:0], pages.Cleared(s.marked, n/64+1), pages.Cleared(s.touched, n/64+1)
	s.short, s.narrow, s.wide = s.short[:0], s.narrow[:0], s.wide[:0]
	s.direction = directionOf(b)
	s.prepareKnots(b)
	far := farOf(b, s.direction)
	s.limit, s.isNarrow = far-1, far == farNarrow
	switch far {
	case farShort:
		s.memory.short, s.short = pages.InOrder(s.memory.short, n*lanes)
		s.kernels = s.sets.short
		s.clear = func() { clearRows(s, s.short, farShort) }
	case farNarrow:
		s.memory.narrow, s.narrow = pages.InOrder(s.memory.narrow, (n+largestKnot(s.knots))*lanes)
		s.kernels = s.sets.narrow
		s.clear = func() { clearRows(s, s.narrow, farNarrow) }
	default:
		s.wide, s.kernels = pages.Resize(s.wide, n*lanes), s.sets.wide
		s.clear = func() { clearRows(s, s.wide, farWide) }
	}
	s.deepest = n
	if b.Cutoff > 0 {
		s.limit = min(s.limit, int64(b.Cutoff))
		if len(s.lengths) > 0 {
			s.deepest = min(n, int(s.limit/slices.Min(s.lengths))+1)
		}
	}
	s.block, s.ahead.followed = b, 0
	if s.knots != nil {
		s.ahead.followed = math.MaxInt32 // arcs are not followed
	}
	s.ahead.begins = s.ahead.begins[:0]
}

// clearRows sets the distances of the list to far, and cuts the list into segments.
func clearRows[D distance](s *Search, rows []D, far D) {
	var none [lanes]D
	for i := range none {
		none[i] = far
	}
	cuts, offsets, all, cut := append(s.cuts[:0], 0), s.offsets, int64(0), int64(segmentArcs)
	for i, x := range s.list {
		if all+int64(i) >= cut {
			cuts, cut = append(cuts, i), all+int64(i)+segmentArcs
		}
		*(*[lanes]D)(rows[int(x)*lanes:]) = none
		all += offsets[x+1] - offsets[x]
	}
	s.cuts, s.links = append(cuts, len(s.list)), all
}

// begin sets the distance of a source to 0 in its lane.
func (s *Search) begin(v uint32, lane int) {
	at := int(v)*lanes + lane
	switch {
	case len(s.short) > 0:
		s.short[at] = 0
	case len(s.narrow) > 0:
		s.narrow[at] = 0
	default:
		s.wide[at] = 0
	}
}

// group searches from up to lanes sources, which begin at Sources[begin].
func (s *Search) group(ctx context.Context, begin int, sources []uint32) error {
	if err := s.reach(ctx, begin, sources); err != nil {
		return err
	}
	for i, v := range sources {
		s.start[v] |= 1 << i
		s.source[i] = s.block.From[v]
		if s.block.HasDraws() {
			s.draws[i] = s.block.Draws[v]
		}
	}
	err := s.search(ctx, sources)
	for _, v := range sources {
		s.start[v] = 0
	}
	return err
}

func (s *Search) search(ctx context.Context, sources []uint32) error {
	s.most, s.reached, s.away, s.got, s.own = [lanes]float64{}, [lanes]float64{}, [lanes]float64{}, [lanes]float64{}, [lanes]float64{}
	s.full = 0
	s.many = s.multiplicity != nil || s.manyLeft > 0
	s.manyLeft = max(s.manyLeft-1, 0)
	if !s.many {
		s.seat(sources)
		for i, v := range sources {
			s.counts[int(v)*lanes+i] = 1
		}
		if err := s.sweep(ctx, s.kernels.forward, true); err != nil {
			return err
		}
		if s.many = s.full != 0; s.many {
			s.manyLeft = manyGroups
		}
	}
	if s.many {
		s.seat(sources)
		for i, v := range sources {
			s.rows[int(v)*lanes+i] = 1
		}
		if err := s.sweep(ctx, s.kernels.forward, true); err != nil {
			return err
		}
	}
	backward := s.kernels.backward
	if s.block.HasDraws() {
		backward = s.kernels.backwardDrawn
	}
	for i := len(s.cuts) - 1; i > 0; i-- {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if from, to := s.cuts[i-1], s.cuts[i]; s.knotted(from) {
			s.retrace(backward, from)
		} else {
			backward(&s.frame, from, to)
		}
	}
	s.work.RowLoads += s.links
	return s.check()
}

// manyGroups is how many groups count in float64 at once, after a group whose counts
// did not fit 16 bits.
const manyGroups = 16

// seat begins every lane at its source.
func (s *Search) seat(sources []uint32) {
	s.clear()
	s.cutKnots()
	for i, v := range sources {
		s.begin(v, i)
	}
}

// segmentArcs is how many arcs a kernel gets at a time: less than a millisecond of work,
// so that the search soon notices a cancelled context.
const segmentArcs = 1 << 15

// sweep runs a kernel over the list from its first vertex on, in segments. counts says that it counts paths.
func (s *Search) sweep(ctx context.Context, kernel func(f *frame, from, to int), counts bool) error {
	for i, end := range s.cuts[1:] {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		from := s.cuts[i]
		if !s.knotted(from) {
			kernel(&s.frame, from, end)
			continue
		}
		s.untied = len(s.visits)
		if err := s.untie(ctx, from, end, counts); err != nil {
			return err
		}
		for _, x := range s.visits[s.untied:] {
			s.visit(kernel, x)
		}
		if counts {
			s.keep(from, end)
		} else {
			kernel(&s.frame, from, end)
		}
	}
	s.work.RowLoads += s.links
	return nil
}
