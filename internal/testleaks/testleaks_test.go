package testleaks

import (
	"strings"
	"testing"
	"time"
)

// tests is a fake of testing.M that runs a function.
type tests func() int

func (t tests) Run() int { return t() }

// A goroutine that ends later than goleak waits is not reported.
func TestRunWaits(t *testing.T) {
	code := Run(tests(func() int {
		go time.Sleep(2 * time.Second)
		return 0
	}))
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	if code := Run(tests(func() int { return 3 })); code != 3 {
		t.Errorf("exit code %d of tests that fail", code)
	}
}

// A goroutine that does not end is named.
func TestFindTellsOfLeaks(t *testing.T) {
	ended := make(chan struct{})
	defer close(ended)
	go forgotten(ended)
	if err := find(0); err == nil || !strings.Contains(err.Error(), "testleaks.forgotten") {
		t.Errorf("error %v", err)
	}
}

func forgotten(ended chan struct{}) { <-ended }
