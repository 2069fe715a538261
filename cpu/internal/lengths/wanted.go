package lengths

import (
	"context"

	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// A vertex is wanted in a lane if it is a target, or if a shortest path leads over it to one. Where few vertices are
// targets, most others are wanted in no lane, and links, path counts and dependencies leave them out.

// fewTargets: one in so many vertices of a block are targets, or fewer, where a search finds the wanted ones.
const fewTargets = 5

// hasFew says whether few vertices of a block are targets.
func hasFew(b *preprocess.Block) bool {
	if b.HasTrips() {
		return true
	}
	targets := 0
	for _, mass := range b.To {
		if mass > 0 {
			targets++
		}
	}
	return fewTargets*targets <= b.Vertices()
}

// wanting is what the pass from the targets finds.
type wanting struct {
	wanted        []uint16   // by rank: lanes in which it is wanted; nil: all
	spans         []span     // by rank: its links in before and after
	before, after links      // of the ranks that were visited, in the order of their first visits
	memory        wantMemory // if the block has few targets
}

// span is the places of a rank's links before and after it. It is empty at unseen ranks.
type span struct{ first, end [2]int }

// wantMemory is reused by the next block with few targets.
type wantMemory struct {
	wanted []uint16
	spans  []span
}

// prepareWanted makes room for the lanes and the links of a block with few targets.
func (s *Search) prepareWanted(b *preprocess.Block) {
	w := &s.wanting
	if w.wanted = nil; !hasFew(b) {
		return
	}
	w.memory.wanted, w.memory.spans = pages.Resize(w.memory.wanted, b.Vertices()), pages.Resize(w.memory.spans, b.Vertices())
	w.wanted, w.spans = w.memory.wanted, w.memory.spans
	for _, l := range []*links{&w.before, &w.after} {
		l.rank, l.mask = pages.Resize(l.rank, len(b.Targets)+1), pages.Resize(l.mask, len(b.Targets)+1)
	}
}

// want finds the lanes in which vertices are wanted, and leaves the others out of met. It goes from targets to their
// predecessors by descending rank, and back where a lane has a predecessor of a higher rank. Links are found once, at the
// first visit.
func (s *Search) want(ctx context.Context, sources []uint32) error {
	if s.wanting.wanted == nil {
		return nil
	}
	clear(s.wanting.wanted)
	clear(s.met)
	clear(s.wanting.spans)
	s.wantTargets(sources)
	link, w, before, after := s.linker(), &s.wanting, 0, 0
	exchange := func() { s.before, w.before, s.after, w.after = w.before, s.before, w.after, s.after }
	exchange() // the kernel writes to the frame
	defer exchange()
	return s.sweep(ctx, true, func(r uint32) int64 {
		x, at := s.order[r], &w.spans[r]
		if *at == (span{}) {
			at.first = [2]int{before, after}
			before, after = link(&s.frame, x, before, after)
			at.end = [2]int{before, after}
		}
		masks, wanted := s.before.mask[at.first[0]:at.end[0]], s.wanting.wanted[r]
		for i, y := range s.before.rank[at.first[0]:at.end[0]] {
			if m := masks[i] & wanted &^ s.wanting.wanted[y]; m != 0 {
				s.wanting.wanted[y] |= m
				s.mark(y)
				s.meet(y)
			}
		}
		return s.out.offsets[x+1] - s.out.offsets[x]
	})
}

// wantTargets marks the targets. Lanes that do not reach one have no links to it.
func (s *Search) wantTargets(sources []uint32) {
	want := func(v uint32, lanes uint16) {
		s.wanting.wanted[s.rank[v]] |= lanes
		s.mark(s.rank[v])
		s.meet(s.rank[v])
	}
	if !s.block.HasTrips() {
		for v, mass := range s.block.To {
			if mass > 0 {
				want(uint32(v), 1<<lanes-1)
			}
		}
		return
	}
	for lane, v := range sources {
		want(v, 1<<lane)
		for _, x := range s.block.WaivedBy(v) {
			want(x.Target, 1<<lane)
		}
	}
}

// keepWanted copies the links of rank r, without the lanes that are not wanted, to places before and after. It returns the
// places after the last.
func (s *Search) keepWanted(r, before, after int) (int, int) {
	w := &s.wanting
	for l := w.spans[r].first[0]; l < w.spans[r].end[0]; l++ {
		if m := w.before.mask[l] & w.wanted[r]; m != 0 {
			s.before.rank[before], s.before.mask[before] = w.before.rank[l], m
			before++
		}
	}
	for l := w.spans[r].first[1]; l < w.spans[r].end[1]; l++ {
		to := w.after.rank[l]
		if m := w.after.mask[l] & w.wanted[to]; m != 0 {
			s.after.rank[after], s.after.mask[after] = to, m
			after++
		}
	}
	return before, after
}
