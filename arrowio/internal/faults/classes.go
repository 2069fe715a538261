// Package faults makes the errors of arrowio: three classes, which callers
// distinguish with errors.Is. It turns panics of decoders into one of them, and
// bounds how much a few bytes of input may demand.
package faults

import (
	"errors"
	"fmt"
	"io/fs"
)

// The classes; arrowio exports and documents them.
var (
	ErrInput   = errors.New("input rejected")
	ErrCorrupt = errors.New("input corrupt or cut short")
	ErrUsage   = errors.New("invalid options")
)

// classed is an error of a class: errors.Is finds the class, and the text does
// not repeat it.
type classed struct{ class, err error }

func (e *classed) Error() string   { return e.err.Error() }
func (e *classed) Unwrap() []error { return []error{e.class, e.err} }

// Rejected makes an ErrInput. In all three classes readers omit the input's
// name, which arrowio.Read puts in front.
func Rejected(format string, args ...any) error {
	return &classed{ErrInput, fmt.Errorf(format, plainArgs(args)...)}
}

// Corrupt makes an ErrCorrupt.
func Corrupt(format string, args ...any) error {
	return &classed{ErrCorrupt, fmt.Errorf(format, plainArgs(args)...)}
}

// Usage makes an ErrUsage.
func Usage(format string, args ...any) error {
	return &classed{ErrUsage, fmt.Errorf(format, args...)}
}

// Missing makes an ErrUsage that is also fs.ErrNotExist: a path that names no
// file.
func Missing(format string, args ...any) error {
	return &classed{fs.ErrNotExist, Usage(format, args...)}
}

// AtLine puts a line number in front of an error.
func AtLine(line int64, err error) error { return fmt.Errorf("line %d: %w", line, err) }
