package faults

import (
	"errors"
	"fmt"
)

// advised is an error and what can be done about it.
type advised struct {
	err    error
	advice string
}

func (e *advised) Error() string { return e.err.Error() + "; " + e.advice }
func (e *advised) Unwrap() error { return e.err }

// Advise puts advice behind an error. Advice names options as Options.Nulls, and
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
