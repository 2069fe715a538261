//go:build !invariants

package pages

func countAside(int64) {}

// Aside counts nothing without the build tag invariants: counting needs state.
func Aside() (bytes int64, counted bool) { return 0, false }
