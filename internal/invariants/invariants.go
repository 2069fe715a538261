// Package invariants says whether results are checked for their invariants, and has a check that
// several engines share.
package invariants

import "fmt"

// Paths checks a count of the shortest paths to a reached vertex: at least one path, even if there
// are too many to count.
func Paths(vertex uint32, count float64) error {
	if !(count >= 1) {
		return fmt.Errorf("cpu: invariant broken: %g shortest paths to vertex %d", count, vertex)
	}
	return nil
}
