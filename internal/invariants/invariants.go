// Package invariants says whether what is computed is checked for what it promises, and has a check
// that several engines share.
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
