package lanes

import (
	"context"
	"math"

	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// deadEnds are the vertices of a directed block without out-arcs. Paths end there, so no other
// vertex needs their numbers. Therefore byLines searches the block without them. Then it computes
// each of them once, in all lanes of a line, whatever their levels.
// In p2p-Gnutella31's largest block half of the vertices are dead ends, and half of the arcs lead
// to them. A search with them has each as an entry in 5 levels.
//
// The levels of its predecessors say which of them are nearest in each lane. The sum of
// their path counts gives the c of the dead end. This c is added for those
// predecessors at once, in more, where the sums of the backward pass begin.
type deadEnds struct {
	of      *preprocess.Block // nil: dead ends are searched as other vertices are
	offsets []int64           // of the arcs to all other vertices
	targets []uint32
	leads   []uint64 // by vertex: 1 if an arc leads to a dead end
	arcs    int64    // number of arcs to dead ends

	levels       []uint16 // by line, vertex, lane: see frame.level
	memory, more []float64
}

const (
	// deadEndShare: dead ends are left out if more than one in so many arcs lead to them.
	deadEndShare = 8
	// levelZero is the level 0 of frame.near, where levels count down. No vertex has noLevel
	// there: it is more than the 0 of vertices that a lane has not reached.
	levelZero, noLevel = math.MaxUint16, 1
	// moreAside is the offset, in numbers, of more from the start of a page, where rows begin. After a store
	// to a row, a processor first takes a load at the same offset of another page for a load of that row.
	// With moreAside the processor time of p2p-Gnutella31 is 0.96 times as long.
	moreAside = (2048 + cacheLine) / 8
)

// isDeadEnd says whether a vertex can be left out as a dead end. A vertex with waived mass cannot: waivers
// need its path counts.
func isDeadEnd(b *preprocess.Block, v uint32, waived []bool) bool {
	return b.Offsets[v] == b.Offsets[v+1] && b.In.Offsets[v] < b.In.Offsets[v+1] && !waived[v]
}

// findDeadEnds lists the dead ends of a block, and counts their arcs. It lists none if their arcs are few, or
// if the mass of a target may depend on its level.
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

// deadEndBytes returns the memory for the dead ends of a block, with rows of so many bytes.
func deadEndBytes(b *preprocess.Block, row int) int64 {
	list, _ := findDeadEnds(b)
	if len(list) == 0 {
		return 0
	}
	perVertex := int64(8 + 8 + row + row/4)                                                 // offsets, leads, more, levels
	return perVertex*int64(b.Vertices()) + 4*int64(len(b.Targets)) + (4+8)*int64(len(list)) // all arcs are stored a second time
}

// findDeadEnds finds the dead ends of a block, and the arcs between all other vertices.
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

// leaveOutDeadEnds removes the dead ends from the search. All numbers of more are 0, unless an earlier search
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
		s.seen[v] = ^uint64(0) // so that no lane reaches it
	}
	return nil
}

// lines returns the number of lines of the batch.
func (s *byLines) lines() int { return (len(s.sources) + lineLanes - 1) / lineLanes }

// setLine points the frame to a line's numbers for dead ends.
func (s *byLines) setLine(line int) {
	s.near, s.more = nil, nil
	if s.aside.of == nil {
		return
	}
	size := s.block.Vertices() * lineLanes
	s.near, s.more = s.aside.levels[line*size:][:size], s.aside.more[line*size:][:size]
}

// reachDeadEnds computes the dead ends in a line whose path counts are known.
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

// forgetSources clears the c that dead ends added for sources, which no backward pass uses.
func (s *byLines) forgetSources() {
	for i, v := range s.sources {
		if s.aside.of != nil {
			s.aside.more[s.index(v, i)] = 0
		}
	}
}
