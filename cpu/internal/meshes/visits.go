package meshes

import (
	"context"
	"fmt"
	"slices"

	"bcstage/cpu/internal/invariants"
	"bcstage/preprocess"
)

// countPaths visits the vertices in their turns. Lanes that have to wait for a neighbour
// whose turn has not come are late: they are tried again behind every level, in one direction and in the other,
// since a way along the level runs in one direction for all its length.
func (s *Search[T]) countPaths(ctx context.Context, _ []uint32) error {
	late, first := s.late[:0], uint32(0)
	for _, end := range s.groups {
		for ; first < end; first = min(first+segment, end) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			list := s.turns[first:min(first+segment, end)]
			s.makeRoom(len(list))
			late = s.late[:len(late)+s.kernels.count(&s.frame, s.rows, list, s.late[len(late):])]
		}
		for before := -1; len(late) > 0 && s.visits > before; {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			before = s.visits
			s.makeRoom(len(late))
			late = s.late[:s.kernels.count(&s.frame, s.rows, late, late)]
			slices.Reverse(late)
		}
	}
	return nil
}

// makeRoom is for so many more visits.
func (s *Search[T]) makeRoom(visits int) {
	if need := s.visits + visits; need > len(s.rank) {
		need += need / 4
		s.rank = slices.Grow(s.rank, need-len(s.rank))[:need]
		s.mask = slices.Grow(s.mask, need-len(s.mask))[:need]
	}
}

// check says, with preprocess.Invariants, whether all lanes of all vertices have been
// counted, each with a path at least.
func (s *Search[T]) check(context.Context, []uint32) error {
	if !preprocess.Invariants {
		return nil
	}
	for r, m := range s.done {
		if m != s.everyLane {
			return fmt.Errorf("cpu: invariant broken: vertex %d counted in lanes %#x of %#x", s.order[r], m, s.everyLane)
		}
		for lane := range s.sources {
			if err := invariants.Paths(s.order[r], float64(s.rows[r*lanes+lane])); err != nil {
				return err
			}
		}
	}
	return nil
}

// retreat goes the visits back.
func (s *Search[T]) retreat(ctx context.Context, _ []uint32) error {
	s.giveSlots()
	depend := s.kernels.depend
	if s.slots != nil {
		depend = s.kernels.dependFlows
	}
	for end := s.visits; end > margin; end = max(end-segment, margin) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		depend(&s.frame, s.rows, max(end-segment, margin), end)
	}
	s.flowOut()
	return nil
}

// giveSlots gives every vertex that is not visited in all lanes at once a slot, where what
// it sends in each of them is kept until all are there.
func (s *Search[T]) giveSlots() {
	slots := uint32(0)
	s.slot = resize(s.slot, len(s.rank))
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
	s.sent = cleared(s.sent, int(slots+1)*lanes)
}
