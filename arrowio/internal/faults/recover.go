package faults

import (
	"errors"
	"runtime"
	"strings"
)

// errContradiction stands for a panic of Go's runtime or of Arrow, whose words (slice bounds
// out of range; arrow/array: index out of range) say nothing to who has the input.
var errContradiction = errors.New("its bytes contradict each other")

// recovered begins the errors that Arrow's reader makes of what it recovers.
const recovered = "arrow/ipc: unknown error while reading: "

// plain is an error without words of a panic. Arrow catches some panics of its decoders
// itself, and makes errors of them. What our own pieces refuse inside of it stays.
func plain(err error) error {
	var panicked runtime.Error
	if errors.As(err, &panicked) {
		return errContradiction
	}
	if strings.HasPrefix(err.Error(), recovered) {
		return own(err)
	}
	return err
}

// own is the classed error in what was recovered, or else errContradiction.
func own(cause any) error {
	if err, ok := cause.(error); ok {
		var ours *classed
		if errors.As(err, &ours) {
			return ours
		}
	}
	return errContradiction
}

// plainArgs are the arguments of an error's text, the errors among them plain.
func plainArgs(args []any) []any {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = plain(err)
		}
	}
	return args
}

// Recover, deferred, turns a panic into an ErrCorrupt: Arrow's decoders panic
// on bytes that they did not expect. Running out of memory is no panic and ends
// the process, therefore sizes are checked beforehand.
func Recover(err *error) {
	switch cause := recover().(type) {
	case nil:
	case Stop:
		*err = cause.Err
	default:
		*err = Corrupt("decoding: %w", own(cause))
	}
}

// Stop is what decoders panic with for Recover to return Err as it is: where a method
// that makes room has no other way to say that there is none.
type Stop struct{ Err error }
