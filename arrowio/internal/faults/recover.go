package faults

import (
	"errors"
	"runtime"
)

// errContradiction stands for a panic of Go's runtime, whose words (slice bounds out of
// range) say nothing to who has the input.
var errContradiction = errors.New("its bytes contradict each other")

// plain is an error without words of Go's runtime. Arrow catches some panics of its
// decoders itself, and makes errors of them.
func plain(err error) error {
	var panicked runtime.Error
	if errors.As(err, &panicked) {
		return errContradiction
	}
	return err
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
	case error:
		*err = Corrupt("decoding: %w", cause)
	default:
		*err = Corrupt("decoding: %v", cause)
	}
}

// Stop is what decoders panic with for Recover to return Err as it is: where a method
// that makes room has no other way to say that there is none.
type Stop struct{ Err error }
