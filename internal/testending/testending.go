// Package testending has a context that ends at a check of a test's choice, independent of the
// clock.
package testending

import (
	"context"
	"sync/atomic"
	"testing"
)

// Context ends when it has been checked more than until times, by any goroutines.
type Context struct {
	context.Context
	looks atomic.Int64
	until int64
}

// After returns a context that ends after that many checks.
func After(ctx context.Context, looks int) *Context {
	return &Context{Context: ctx, until: int64(looks)}
}

// Err counts a check.
func (c *Context) Err() error {
	if c.looks.Add(1) > c.until {
		return context.Canceled
	}
	return nil
}

// Looks returns the number of checks so far.
func (c *Context) Looks() int { return int(c.looks.Load()) }

// Stride is the distance from check k to the next one at which a test ends a call: 1, or with
// -short more, the larger k is.
func Stride(k int) int {
	if testing.Short() {
		return 1 + k/4
	}
	return 1
}
