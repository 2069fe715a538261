// Package testending has a context that ends at a look of a test's choice, whatever the clock says.
package testending

import (
	"context"
	"sync/atomic"
	"testing"
)

// Context ends when it has been looked at more than so many times, by any goroutines.
type Context struct {
	context.Context
	looks atomic.Int64
	until int64
}

// After so many looks the context ends.
func After(ctx context.Context, looks int) *Context {
	return &Context{Context: ctx, until: int64(looks)}
}

// Err counts a look.
func (c *Context) Err() error {
	if c.looks.Add(1) > c.until {
		return context.Canceled
	}
	return nil
}

// Looks so far.
func (c *Context) Looks() int { return int(c.looks.Load()) }

// Stride is how far it is from look k to the next one at which a call is to end: to look k+1,
// or with -short farther, the more there were.
func Stride(k int) int {
	if testing.Short() {
		return 1 + k/4
	}
	return 1
}
