package faults

import (
	"errors"
	"runtime"
	"strings"
)

// errContradiction replaces a panic of Go's runtime or of Arrow. Their words (slice
// bounds out of range; arrow/array: index out of range) do not help the owner of the
// input.
var errContradiction = errors.New("its bytes contradict each other")

// recovered begins the errors that Arrow's reader makes from recovered panics.
const recovered = "arrow/ipc: unknown error while reading: "

// plain is an error without the words of a panic. Arrow recovers some panics of its
// decoders itself, and makes errors from them. Our own errors inside stay.
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

// own is the classed error in a recovered value, or else errContradiction.
func own(cause any) error {
	if err, ok := cause.(error); ok {
		var ours *classed
		if errors.As(err, &ours) {
			return ours
		}
	}
	return errContradiction
}

// plainArgs replaces the errors among the arguments of an error's text by plain ones.
func plainArgs(args []any) []any {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = plain(err)
		}
	}
	return args
}

// Recover, deferred, turns a panic into an ErrCorrupt: Arrow's decoders panic on
// unexpected bytes. Running out of memory is not a panic and ends the process, so sizes
// are checked before.
func Recover(err *error) {
	switch cause := recover().(type) {
	case nil:
	case Stop:
		*err = cause.Err
	default:
		*err = Corrupt("decoding: %w", own(cause))
	}
}

// Stop is a panic value of decoders; Recover returns its Err. Methods that make room have
// no other way to report that there is none.
type Stop struct{ Err error }
