package lanes

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/engine"
	"bcstage/internal/invariants"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// search finds the shortest paths from all sources of a batch at once, breadth
// first. Then it adds up dependencies on the backward pass. Candidates come from out-arcs
// of the frontier, path counts from in-arcs, dependencies from out-arcs.
//
//	M. Then et al., "The more the merrier: efficient multi-source graph
//	    traversal", VLDB 2014 (one bit per search)
//	S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first
//	    search", SC 2012 (candidates from the frontier, or all open vertices)
//
// Lanes may start at different levels: level l of the search is distance l-start of a
// lane. Each vertex and lane has one number: the path count S
// until the backward pass reaches the vertex, then c, the only number that predecessors
// need.
type search[T float32 | float64] struct {
	frame
	set      rowKernels[T]
	kernels  kernels[T]
	sumFlows FlowSums
	lanes    int // numbers per row

	memory    []T      // rows and up to a cache line before them
	rows      []T      // by vertex, lane: S, later c
	flowsAt   []uint32 // edges that have flows
	sources   []uint32
	all       uint64 // a bit for every source within its cutoff: see Block.Cutoff
	block     *preprocess.Block
	flowsFrom *preprocess.Block // whose last batch left flowsAt; nil: flows may hold anything
	widest    int64             // the largest degree of the block in either direction, plus one
	dirty     bool              // seen, here and next may be set outside the entries
	levels    []level
	waived    []waiver
	bySource
	weighing

	drawnMemory, squareMemory []float64 // of frame.drawn and squares, where a block has Draws
}

// bySource is what a search knows of each source of its batch.
type bySource struct {
	start   [MaxLanes]int // level
	want    [MaxLanes]float64
	arrived [MaxLanes]float64       // target mass that it reaches, each with its share
	spread  [MaxLanes]float64       // in a block with Decay, the factor of all its seeds; in a relative one, what it sends
	access  [MaxLanes]engine.Access // where the block has Access
}

// Search computes batches of a block's sources. It keeps the memory of one batch.
type Search interface {
	Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error)
}

// NewRows makes a search that keeps its numbers by vertex and lane, as float64, or as float32 if narrow.
func NewRows(set Set, narrow bool) Search {
	if narrow {
		return &search[float32]{set: set.float32}
	}
	return newRows(set)
}

func newRows(set Set) *search[float64] {
	return &search[float64]{set: set.float64, sumFlows: set.SumFlows}
}

// level is frontier entries first..end-1, found by search, and end..seeds-1,
// sources that start here.
type level struct{ first, end, seeds int }

// segmentEdges is how many edges a kernel gets at a time: about a millisecond of
// work, so that the search soon notices a cancelled context.
const segmentEdges = 1 << 16

// backRows is how many rows, of several entries, backward kernels list before they add them up. So they can prefetch
// rows. It fits in a list of countRows.
const backRows = 1 << 9

// Run computes a batch.
func (s *search[T]) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	s.prepare(b, b.Sources[batch.First:batch.First+batch.Count])
	s.dirty = true
	last := slices.Max(s.start[:batch.Count])
	for at := 0; ; at++ {
		if err := s.advance(ctx, at); err != nil {
			return engine.Result{}, err
		}
		s.seed(at)
		if l := s.levels[at]; l.first == l.seeds && at > last {
			break
		}
	}
	s.noteWaived(func(v uint32, lane int) float64 { return float64(s.rows[int(v)*s.lanes+lane]) })
	many, err := s.manyForShares(ctx)
	if err != nil {
		return engine.Result{}, err
	}
	if err := s.retreat(ctx); err != nil {
		return engine.Result{}, err
	}
	if many {
		s.got[0] = math.NaN()
	}
	return s.result(batch), nil
}

// result returns the result of a complete batch.
func (s *search[T]) result(batch engine.Batch) engine.Result {
	s.dirty = false
	result := engine.Result{
		Batch:  batch,
		Scores: s.scores,
		Got:    s.got[:batch.Count],
		Want:   s.want[:batch.Count],
		Work:   engine.Work{FrontierEntries: int64(len(s.vertex)), RowLoads: s.rowLoads},
	}
	if s.block.HasDraws() {
		result.Drawn, result.Squares = s.drawn, s.squares
	}
	if s.block.Access {
		result.Access = s.access[:batch.Count]
	}
	if s.block.Sees {
		result.Sees, result.Arrives = s.arrived[:batch.Count], s.arrives
	}
	s.deliverFlows(&result)
	return result
}

// prepare prepares the search for the sources of a batch.
func (s *search[T]) prepare(b *preprocess.Block, sources []uint32) {
	n := b.Vertices()
	s.begin(b, sources)
	s.lanes = rowLanes[T](len(sources))
	s.kernels, s.rowBytes = s.set.of(s.lanes), RowBytes[T](s.lanes)
	s.memory, s.rows = pages.Aligned(s.memory, n*s.lanes)
	room := backRows + b.Room() + lineBeyond
	s.list, s.listMask = pages.Resize(s.list, room), pages.Resize(s.listMask, room)
	s.prepareFlows(b)
	s.prepareDraws(b, sources)
}

// prepareDraws makes room for the sums over draws, if sources are drawn.
func (s *search[T]) prepareDraws(b *preprocess.Block, sources []uint32) {
	s.drawn, s.squares = nil, nil
	for lane := range s.share {
		s.share[lane] = 1 // unless the block weighs
	}
	if !b.HasDraws() {
		return
	}
	n := b.Vertices()
	s.drawnMemory, s.squareMemory = pages.Cleared(s.drawnMemory, n), pages.Cleared(s.squareMemory, n)
	s.drawn, s.squares, s.draws = s.drawnMemory, s.squareMemory, [MaxLanes]float64{}
	for i, v := range sources {
		s.draws[i] = b.Draws[v]
	}
}

// begin prepares the part of the search that finds levels.
func (s *search[T]) begin(b *preprocess.Block, sources []uint32) {
	s.clear(b)
	if s.block != b {
		s.setRelative(b)
		s.block, s.widest = b, max(b.LargestDegree(), b.Reverse().LargestDegree())+1
	}
	s.sources, s.all = sources, ^uint64(0)>>(MaxLanes-len(sources))
	s.offsets, s.targets, s.weight, s.multiplicity = b.Offsets, b.Targets, b.To, b.Multiplicity
	s.inOffsets, s.inTargets = b.Reverse().Offsets, b.Reverse().Targets
	room := entryRoom(b, len(sources))
	s.vertex, s.mask, s.levels = pages.Reserve(s.vertex, room), pages.Reserve(s.mask, room), s.levels[:0]
	s.got, s.want, s.arrived, s.rowLoads = [MaxLanes]float64{}, [MaxLanes]float64{}, [MaxLanes]float64{}, 0
	s.access, s.arrives = [MaxLanes]engine.Access{}, pages.Cleared(s.arrives, len(b.Hung))
	farthest := uint16(0)
	for i, v := range sources {
		s.source[i] = b.From[v]
		if b.Farness != nil {
			farthest = max(farthest, b.Farness[v])
		}
	}
	for i, v := range sources {
		s.start[i] = 0
		if b.Farness != nil {
			s.start[i] = int(farthest - b.Farness[v])
		}
	}
}

// clear clears the numbers of the last batch in seen, here, next and scores. After a batch of
// the same block it clears only the vertices that the batch reached, which may be few in a
// directed block.
func (s *search[T]) clear(b *preprocess.Block) {
	n := b.Vertices()
	if s.block == b && !s.dirty && len(s.vertex) < n/2 {
		for _, v := range s.vertex {
			s.seen[v], s.here[v], s.next[v], s.scores[v] = 0, 0, 0, 0
		}
		return
	}
	s.seen, s.here, s.next = pages.Cleared(s.seen, n), pages.Cleared(s.here, n), pages.Cleared(s.next, n)
	s.scores = pages.Cleared(s.scores, n)
}

// advance finds the entries of a level and their path counts.
func (s *search[T]) advance(ctx context.Context, at int) error {
	first := len(s.vertex)
	if at > 0 {
		s.stop(at)
		if err := s.candidates(ctx, s.levels[at-1]); err != nil {
			return err
		}
		s.reached = [MaxLanes]float64{}
		out := first
		for from, to := first, 0; from < len(s.vertex); from = to {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			to = s.segment(s.inOffsets, from, len(s.vertex))
			out = s.kernels.forward(&s.frame, s.rows, from, to, out)
		}
		s.vertex, s.mask = s.vertex[:out], s.mask[:out]
		if invariants.On {
			if err := s.checkPaths(first); err != nil {
				return err
			}
		}
		for i := range s.sources {
			s.meet(i, at, s.reached[i])
		}
		s.leave(s.here, s.levels[at-1])
		s.here, s.next = s.next, s.here
	}
	s.levels = append(s.levels, level{first, len(s.vertex), len(s.vertex)})
	return nil
}

// stop removes from all the lanes for which the level is beyond the cutoff.
func (s *search[T]) stop(at int) {
	if s.block.Cutoff == 0 {
		return
	}
	for i := range s.sources {
		if at-s.start[i] > s.block.Cutoff {
			s.all &^= 1 << i
		}
	}
}

// seed starts the sources of a level.
func (s *search[T]) seed(at int) {
	for i, v := range s.sources {
		if s.start[i] == at {
			bit := uint64(1) << i
			s.seen[v] |= bit
			s.here[v] |= bit
			s.rows[int(v)*s.lanes+i] = 1
			s.vertex, s.mask = append(s.vertex, v), append(s.mask, bit)
			s.levels[at].seeds++
		}
	}
}

// candidates appends entries for the vertices that the next level may hold,
// with the lanes that may reach them. Its inner loops do not branch on masks: such branches
// would be mispredicted.
func (s *search[T]) candidates(ctx context.Context, l level) error {
	offsets, targets, seen, next := s.offsets, s.targets, s.seen, s.next
	first, n := len(s.vertex), len(seen)
	s.vertex = slices.Grow(s.vertex, n+1)[:first+n+1]
	s.mask = slices.Grow(s.mask, n+1)[:first+n+1]
	vertex, mask := s.vertex[first:], s.mask[first:]
	edges := int64(0)
	for _, u := range s.vertex[l.first:l.seeds] {
		edges += offsets[u+1] - offsets[u]
	}
	count := 0
	if edges > int64(len(targets)/denseShare) {
		for v, seen := range seen {
			open := s.all &^ seen
			vertex[count], mask[count] = uint32(v), open
			count += nonzero(open)
		}
	} else {
		touched := 0
		for from, to := l.first, 0; from < l.seeds; from = to {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			to = s.segment(offsets, from, l.seeds)
			for _, u := range s.vertex[from:to] {
				m := s.here[u]
				for _, v := range targets[offsets[u]:offsets[u+1]] {
					old := next[v]
					next[v] = old | m
					vertex[touched] = v
					touched += 1 - nonzero(old)
				}
			}
		}
		for _, v := range vertex[:touched] {
			open := next[v] & s.all &^ seen[v]
			next[v] = 0
			vertex[count], mask[count] = v, open
			count += nonzero(open)
		}
	}
	s.vertex, s.mask = s.vertex[:first+count], s.mask[:first+count]
	return nil
}

// nonzero returns 1 if m is not 0, and 0 otherwise.
func nonzero(m uint64) int { return int((m | -m) >> 63) }

// denseShare: if the frontier has more than one in so many of the edges,
// a scan of all open vertices is cheaper than following the edges.
const denseShare = 5

// retreat adds up dependencies from the deepest level to the first.
func (s *search[T]) retreat(ctx context.Context) error {
	s.send()
	backward := s.kernels.backward
	switch {
	case s.block.Weighs() && !s.block.Relative():
		backward = s.kernels.backwardDrawn
	case s.slots != nil:
		backward = s.kernels.backwardFlows
	}
	if s.slots != nil || s.block.Weighs() {
		s.parts = pages.Resize(s.parts, len(s.vertex))
	}
	// The last level is empty, and so are here and next.
	for at := len(s.levels) - 2; at > 0; at-- {
		l := s.levels[at]
		if s.block.Weighs() {
			s.weighLevel(at)
		}
		for from, to := l.first, 0; from < l.end; from = to {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			to = s.segment(s.offsets, from, l.end)
			backward(&s.frame, s.rows, from, to)
		}
		s.waive(at)
		if s.block.Hung != nil {
			s.arrive(l, s.block.Hung, s.arrives)
		}
		s.flowOut(l)
		s.leave(s.next, s.levels[at+1])
		s.here, s.next = s.next, s.here
	}
	if s.flowOut(s.levels[0]); s.block.Relative() {
		s.endRelative()
	}
	return nil
}

// segment returns the end of the segment of entries that begins at from. It has about segmentEdges
// arcs by offsets, and ends at end or before.
func (s *search[T]) segment(offsets []int64, from, end int) int {
	if int64(end-from)*s.widest <= segmentEdges {
		return end
	}
	to, edges := from, int64(0)
	for to < end && edges < segmentEdges {
		v := s.vertex[to]
		edges += offsets[v+1] - offsets[v] + 1
		to++
	}
	return to
}

// leave clears the marks of the vertices of a level.
func (s *search[T]) leave(marks []uint64, l level) {
	for _, v := range s.vertex[l.first:l.seeds] {
		marks[v] = 0
	}
}
