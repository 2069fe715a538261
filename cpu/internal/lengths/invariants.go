package lengths

import (
	"context"
	"fmt"

	"bcstage/internal/invariants"
)

// check checks, with invariants.On, the path counts: they are
// at least 1 in every lane that has reached a vertex. No other lane is counted.
func (s *Search) check(context.Context, []uint32) error {
	if !invariants.On {
		return nil
	}
	for r, v := range s.order {
		for lane := range lanes {
			counted, reached := s.counted[r]>>lane&1 != 0, s.distance(v, lane) < s.far
			if s.wanting.wanted != nil && s.wanting.wanted[r]>>lane&1 == 0 {
				reached = counted && reached // sources alone are counted
			}
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
