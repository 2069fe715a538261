package cpu

import (
	"fmt"
	"math/bits"
)

// checkPaths says whether the entries from first on have what a search promises of
// all it has reached: a shortest path at least, be they too many to count.
func (s *search[T]) checkPaths(first int) error {
	for i, v := range s.vertex[first:] {
		for left := s.mask[first+i]; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros64(left)
			if err := checkPaths(v, float64(s.rows[int(v)*s.lanes+lane])); err != nil {
				return fmt.Errorf("lane %d: %w", lane, err)
			}
		}
	}
	return nil
}

func checkPaths(v uint32, count float64) error {
	if !(count >= 1) {
		return fmt.Errorf("cpu: invariant broken: %g shortest paths to vertex %d", count, v)
	}
	return nil
}
