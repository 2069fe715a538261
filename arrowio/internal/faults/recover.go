package faults

// Recover, deferred, turns a panic into an ErrCorrupt: Arrow's decoders panic
// on bytes that they did not expect. Running out of memory is no panic and ends
// the process, therefore sizes are checked beforehand.
func Recover(err *error) {
	switch cause := recover().(type) {
	case nil:
	case error:
		*err = Corrupt("decoding: %w", cause)
	default:
		*err = Corrupt("decoding: %v", cause)
	}
}
