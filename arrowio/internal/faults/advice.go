package faults

import (
	"errors"
	"fmt"
)

// advised is an error with advice on what to do.
type advised struct {
	err    error
	advice string
}

func (e *advised) Error() string { return e.err.Error() + "; " + e.advice }
func (e *advised) Unwrap() error { return e.err }

// Advise appends advice to an error. Advice names options as Options.Nulls, and
// with a value as Options.Nulls "drop".
func Advise(err error, format string, args ...any) error {
	return &advised{err, fmt.Sprintf(format, args...)}
}

// Advice is that of the outermost Advise in an error's chain, or "".
func Advice(err error) string {
	var with *advised
	if errors.As(err, &with) {
		return with.advice
	}
	return ""
}
