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

// prepareWanted makes room for the lanes of a block with few targets.
func (s *Search) prepareWanted(b *preprocess.Block) {
	if s.wanted = nil; hasFew(b) {
		s.wanted = pages.Resize(s.wantedMemory, b.Vertices())
		s.wantedMemory = s.wanted
	}
}

// want finds the lanes in which vertices are wanted, and leaves the others out of met. It goes from targets to their
// predecessors by descending rank, and back where a lane has a predecessor of a higher rank.
func (s *Search) want(ctx context.Context, sources []uint32) error {
	if s.wanted == nil {
		return nil
	}
	clear(s.wanted)
	clear(s.met)
	s.wantTargets(sources)
	link := s.linker()
	return s.sweep(ctx, true, func(r uint32) int64 {
		x := s.order[r]
		before, _ := link(&s.frame, x, 0, 0) // link overwrites them
		masks, wanted := s.before.mask[:before], s.wanted[r]
		for i, y := range s.before.rank[:before] {
			if m := masks[i] & wanted &^ s.wanted[y]; m != 0 {
				s.wanted[y] |= m
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
		s.wanted[s.rank[v]] |= lanes
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

// keepWanted removes lanes that are not wanted from the links of rank r, which are stored up to before and after. It
// returns the places after the last.
func (s *Search) keepWanted(r, before, after int) (int, int) {
	if s.wanted == nil {
		return before, after
	}
	kept := int(s.before.first[r])
	for l := kept; l < before; l++ {
		m := s.before.mask[l] & s.wanted[r]
		s.before.rank[kept], s.before.mask[kept] = s.before.rank[l], m
		if m != 0 {
			kept++
		}
	}
	before, kept = kept, int(s.after.first[r])
	for l := kept; l < after; l++ {
		to := s.after.rank[l]
		m := s.after.mask[l] & s.wanted[to]
		s.after.rank[kept], s.after.mask[kept] = to, m
		if m != 0 {
			kept++
		}
	}
	return before, kept
}
