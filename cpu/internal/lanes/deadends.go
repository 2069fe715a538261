package lanes

import (
	"context"
	"math"

	"bcstage/internal/cpu/pages"
	"bcstage/preprocess"
)

// dead ends are the vertices of a directed block that no arc leads out of. No path goes on from
// them, so that nothing waits for their numbers: byLines searches the block without them,
// and then works out each of them once, in all lanes of a line, whichever levels it is in.
// Of p2p-Gnutella31's largest block they are every other vertex, to which every other arc
// leads, and otherwise each is an entry in 5 levels.
//
// From the levels that its predecessors are in follows which of them are the nearest in
// each lane, from the sum of their path counts the dead end's c, and c is added up for those
// predecessors at once, in more, where the way back begins its sums.
type deadEnds struct {
	of      *preprocess.Block // nil: no block is searched without its dead ends
	offsets []int64           // the arcs to all other vertices
	targets []uint32
	leads   []uint64 // by vertex: 1 if an arc leads to a dead end
	arcs    int64    // that lead to dead ends

	levels       []uint16 // by line, vertex, lane: see frame.level
	memory, more []float64
}

const (
	// deadEndShare: dead ends are left out if more than one in so many arcs lead to them.
	deadEndShare = 8
	// levelZero is where levels are counted down from in frame.near, and noLevel is what no
	// vertex has there: what a lane has not reached has 0.
	levelZero, noLevel = math.MaxUint16, 1
	// moreAside is how many numbers more begins after a page: rows begin with one, and a
	// processor that sees a row stored takes what is read at the same place of another page for
	// the same at first. Processor time of p2p-Gnutella31 is 0.96 times as long.
	moreAside = (2048 + cacheLine) / 8
)

// isDeadEnd says whether a vertex can be left out as a dead end. Where its mass is waived its path
// counts are asked for.
func isDeadEnd(b *preprocess.Block, v uint32, waived []bool) bool {
	return b.Offsets[v] == b.Offsets[v+1] && b.In.Offsets[v] < b.In.Offsets[v+1] && !waived[v]
}

// findDeadEnds lists the dead ends of a block, and counts their arcs; none if these are few, or
// what a target counts for may depend on its level.
func findDeadEnds(b *preprocess.Block) (list []uint32, arcs int64) {
	if !b.Directed() || b.Cutoff != 0 || b.HasDraws() {
		return nil, 0
	}
	waived := make([]bool, b.Vertices())
	for _, x := range b.Waived {
		waived[x.Target] = true
	}
	for v := range uint32(b.Vertices()) {
		if isDeadEnd(b, v, waived) {
			list = append(list, v)
			arcs += b.In.Offsets[v+1] - b.In.Offsets[v]
		}
	}
	if arcs*deadEndShare <= int64(len(b.Targets)) {
		return nil, 0
	}
	return list, arcs
}

// deadEndBytes is the memory that the dead ends of a block take, for rows of so many bytes.
func deadEndBytes(b *preprocess.Block, row int) int64 {
	list, _ := findDeadEnds(b)
	if len(list) == 0 {
		return 0
	}
	perVertex := int64(8 + 8 + row + row/4)                                                 // offsets, leads, more, levels
	return perVertex*int64(b.Vertices()) + 4*int64(len(b.Targets)) + (4+8)*int64(len(list)) // all arcs are there twice
}

// findDeadEnds finds the dead ends of a block, and what is left of its arcs without them.
func (s *byLines) findDeadEnds(ctx context.Context, b *preprocess.Block) error {
	list, arcs := findDeadEnds(b)
	s.deadEnds, s.aside = list, deadEnds{arcs: arcs, memory: s.aside.memory, levels: s.aside.levels}
	if len(list) == 0 {
		return nil
	}
	x, n := &s.aside, b.Vertices()
	left := make([]bool, n)
	s.deadEndOffsets, s.deadEndTargets = make([]int64, 1, len(list)+1), make([]uint32, 0, arcs+listedAhead)
	for i, v := range list {
		if i%spanEntries == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		left[v] = true
		s.deadEndTargets = append(s.deadEndTargets, b.In.Neighbours(v)...)
		s.deadEndOffsets = append(s.deadEndOffsets, int64(len(s.deadEndTargets)))
	}
	s.deadEndTargets = append(s.deadEndTargets, make([]uint32, listedAhead)...)
	x.offsets, x.targets, x.leads = make([]int64, 1, n+1), make([]uint32, 0, int64(len(b.Targets))-arcs), make([]uint64, n)
	for v := range uint32(n) {
		if v%spanEntries == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, u := range b.Neighbours(v) {
			if left[u] {
				x.leads[v] = 1
			} else {
				x.targets = append(x.targets, u)
			}
		}
		x.offsets = append(x.offsets, int64(len(x.targets)))
	}
	x.of = b
	return nil
}

// leaveOutDeadEnds has the search go without dead ends. What more holds is 0, unless a search has
// ended early.
func (s *byLines) leaveOutDeadEnds(ctx context.Context, dirty bool) error {
	x, size := &s.aside, s.block.Vertices()*lineLanes
	lines := s.lines()
	x.levels = pages.Resize(x.levels, lines*size)
	if err := clearLooking(ctx, x.levels); err != nil {
		return err
	}
	had := len(x.more)
	x.memory, x.more = pages.Aligned(x.memory, lines*size+moreAside)
	x.more = x.more[moreAside:]
	if dirty {
		had = 0
	}
	if err := clearLooking(ctx, x.more[min(had, len(x.more)):]); err != nil {
		return err
	}
	s.offsets, s.targets, s.rowLoads = x.offsets, x.targets, 2*x.arcs
	for _, v := range s.deadEnds {
		s.seen[v] = ^uint64(0) // so that no lane meets it
	}
	return nil
}

// lines is how many lines the batch has.
func (s *byLines) lines() int { return (len(s.sources) + lineLanes - 1) / lineLanes }

// setLine has the frame see what a line has for dead ends.
func (s *byLines) setLine(line int) {
	s.near, s.more = nil, nil
	if s.aside.of == nil {
		return
	}
	size := s.block.Vertices() * lineLanes
	s.near, s.more = s.aside.levels[line*size:][:size], s.aside.more[line*size:][:size]
}

// reachDeadEnds works out the dead ends in a line whose path counts are there.
func (s *byLines) reachDeadEnds(ctx context.Context, line int, rows []float64) error {
	s.reached, s.beyond = [MaxLanes]float64{}, [MaxLanes]float64{}
	for first, end := 0, 0; first < len(s.deadEnds); first = end {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for arcs := int64(0); end < len(s.deadEnds) && arcs < segmentEdges; end++ {
			arcs += s.deadEndOffsets[end+1] - s.deadEndOffsets[end]
		}
		s.kernels.deadEnds(&s.frame, rows, line, first, end)
	}
	for i := line * lineLanes; i < s.endOf(line); i++ {
		s.want[i] += s.reached[i]*float64(levelZero-s.start[i]) - s.beyond[i]
	}
	return nil
}

// forgetSources clears what dead ends have for sources, which no way back asks for.
func (s *byLines) forgetSources() {
	for i, v := range s.sources {
		if s.aside.of != nil {
			s.aside.more[s.index(v, i)] = 0
		}
	}
}
