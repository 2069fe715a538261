// Package testleaks fails tests that leave goroutines behind. goleak alone gives
// goroutines half a second to end, too little on a busy machine.
package testleaks

import (
	"fmt"
	"os"
	"time"

	"go.uber.org/goleak"
)

// patience is the time to wait for goroutines that should end at once.
const patience = 2 * time.Minute

// Find returns an error that names the goroutines that do not end.
func Find() error { return find(patience) }

func find(patience time.Duration) error {
	for began := time.Now(); ; {
		late := time.Since(began) >= patience // before the check, so that it checks again after any pause
		if err := goleak.Find(); err == nil || late {
			return err
		}
	}
}

// Run runs the tests, and then requires that no goroutine of them is left. It returns the
// exit code.
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
