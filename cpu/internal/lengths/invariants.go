package lengths

import (
	"context"
	"fmt"

	"bcstage/internal/invariants"
)

// check says, with invariants.On, whether the last step left what it promises:
// a path count of 1 at least in every lane that has reached a vertex, and in no other.
func (s *Search) check(context.Context, []uint32) error {
	if !invariants.On {
		return nil
	}
	for r, v := range s.order {
		for lane := range lanes {
			counted, reached := s.counted[r]>>lane&1 != 0, s.distance(v, lane) < s.far
			if counted != reached {
				return fmt.Errorf("cpu: invariant broken: vertex %d reached %t, its paths counted %t", v, reached, counted)
			}
			if counted {
				if err := invariants.Paths(v, s.rows[r*lanes+lane]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
