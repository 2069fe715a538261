// Package testleaks fails tests that leave goroutines behind. goleak alone gives these
// half a second to end, in which a machine with much to do may not get to them.
package testleaks

import (
	"fmt"
	"os"
	"time"

	"go.uber.org/goleak"
)

// patience is how long goroutines are waited for that should end at once.
const patience = 2 * time.Minute

// Find is an error that names the goroutines that do not end.
func Find() error { return find(patience) }

func find(patience time.Duration) error {
	for began := time.Now(); ; {
		late := time.Since(began) >= patience // before it looks: it looks again after any pause
		if err := goleak.Find(); err == nil || late {
			return err
		}
	}
}

// Run runs the tests, and then wants no goroutine left of them. It returns the exit code.
func Run(m interface{ Run() int }) int {
	code := m.Run()
	if code != 0 {
		return code
	}
	if err := Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
