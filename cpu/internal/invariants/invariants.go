// Package invariants says what engines check of themselves under the build tag of
// preprocess.Invariants.
package invariants

import "fmt"

// Paths says whether a count of the shortest paths to a vertex that was reached
// can be one: a path at least, be there too many to count.
func Paths(vertex uint32, count float64) error {
	if !(count >= 1) {
		return fmt.Errorf("cpu: invariant broken: %g shortest paths to vertex %d", count, vertex)
	}
	return nil
}
