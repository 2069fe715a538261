package lanes

import (
	"fmt"
	"math/bits"

	"bcstage/internal/invariants"
)

// checkPaths checks the invariant of all reached vertices for the entries from first on: each has
// at least one shortest path.
func (s *search[T]) checkPaths(first int) error {
	for i, v := range s.vertex[first:] {
		for left := s.mask[first+i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			if err := invariants.Paths(v, float64(s.rows[int(v)*s.lanes+lane])); err != nil {
				return fmt.Errorf("lane %d: %w", lane, err)
			}
		}
	}
	return nil
}
