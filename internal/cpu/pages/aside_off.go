//go:build !invariants

package pages

func countAside(int64) {}

// Aside tells nothing without the build tag invariants: counting takes state.
func Aside() (bytes int64, counted bool) { return 0, false }
