package acyclic

import (
	"fmt"
	"math"

	"bcstage/internal/invariants"
)

// check checks, with invariants.On, the rows after the backward sweep: c >= 0 in every lane that
// reaches a vertex, unless it has too many paths, and 0 in
// every other.
func (s *Search) check() error {
	if !invariants.On {
		return nil
	}
	for _, v := range s.list {
		for lane, c := range s.rows[int(v)*lanes:][:lanes] {
			if !(c >= 0) && !math.IsInf(s.most[lane], 1) {
				return fmt.Errorf("cpu: invariant broken: vertex %d, lane %d: dependency %g per path", v, lane, c)
			}
		}
	}
	return nil
}
