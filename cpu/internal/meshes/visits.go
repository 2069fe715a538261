package meshes

import (
	"context"
	"fmt"
	"slices"

	"bcstage/internal/invariants"
	"bcstage/internal/pages"
)

// countPaths visits the vertices in their turns. A vertex is late if some lane must wait for a
// predecessor with a later turn. It is tried again after every group, once
// some predecessor is visited.
func (s *Search) countPaths(ctx context.Context, _ []uint32) error {
	first := uint32(0)
	for _, end := range s.groups {
		seen := s.visits
		if err := s.count(ctx, s.turns[first:end]); err != nil {
			return err
		}
		for first = end; s.waiting > 0 && s.visits > seen; {
			list := s.awake(seen)
			seen = s.visits
			if err := s.count(ctx, list); err != nil {
				return err
			}
		}
	}
	return nil
}

// count visits the listed ranks. Ranks with lanes left wait.
func (s *Search) count(ctx context.Context, list []uint32) error {
	for len(list) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		some := list[:min(segment, len(list))]
		s.makeRoom(len(some))
		late := s.late[:s.kernels.count(&s.frame, s.rows, some, s.late)]
		for _, r := range late {
			s.waits[r] = 1
		}
		s.waiting += len(late)
		list = list[len(some):]
	}
	return nil
}

// awake lists the waiting ranks with a predecessor in visits since, since+1, ... They wait no
// more.
func (s *Search) awake(since int) []uint32 {
	list := s.after(s.rank[since:s.visits], s.waits, s.dirty)
	s.waiting -= len(list)
	return list
}

// makeRoom makes room for so many more visits.
func (s *Search) makeRoom(visits int) {
	if need := s.visits + visits; need > len(s.rank) {
		need += need / 4
		s.rank = slices.Grow(s.rank, need-len(s.rank))[:need]
		s.mask = slices.Grow(s.mask, need-len(s.mask))[:need]
	}
}

// check checks, with invariants.On, that all lanes of all vertices are
// counted, each with at least one path.
func (s *Search) check(context.Context, []uint32) error {
	if !invariants.On {
		return nil
	}
	gone := s.gone
	for r, m := range s.done {
		if m != s.everyLane {
			return fmt.Errorf("cpu: invariant broken: vertex %d counted in lanes %#x of %#x", s.order[r], m, s.everyLane)
		}
		unreached := uint64(0)
		if len(gone) > 0 && gone[0].rank == uint32(r) {
			unreached, gone = gone[0].lanes, gone[1:]
		}
		for lane := range s.sources {
			if unreached>>lane&1 == 1 {
				continue
			}
			if err := invariants.Paths(s.order[r], float64(s.rows[r*s.width+lane])); err != nil {
				return err
			}
		}
	}
	return nil
}

// retreat runs the backward pass over the visits.
func (s *Search) retreat(ctx context.Context, _ []uint32) error {
	if s.width == lanes {
		s.giveSlots()
	}
	s.offsets, s.targets = s.out.offsets, s.out.targets
	s.noteWaived()
	for end, first := s.visits, 0; end > margin; end = first {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		first = s.lastWaived(max(end-s.share(end), margin), end)
		s.kernels.depend(&s.frame, s.rows, first, end)
		s.waive(first)
	}
	if s.flowOut(); s.block.Relative() {
		s.endRelative()
	}
	return nil
}

// giveSlots gives a slot to every vertex with several visits. The slot
// keeps the D of each lane, times source mass, until all visits are done.
func (s *Search) giveSlots() {
	slots := uint32(0)
	s.slot = pages.Resize(s.slot, len(s.rank))
	for i := margin; i < s.visits; i++ {
		m := s.mask[i]
		if m == s.everyLane {
			continue
		}
		r := s.rank[i]
		s.slot[i] = 2 * s.slotOf[r]
		if s.slotOf[r] == 0 {
			slots++
			s.slotOf[r] = slots
			s.slot[i] = 2*slots + 1
		}
	}
	if need := int(slots+1) * lanes; need > cap(s.sent) {
		s.sent = make([]float64, need+need/4)
	}
	s.sent = pages.Cleared(s.sent, int(slots+1)*lanes)
}
