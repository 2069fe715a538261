//go:build !linux

package machine

// Available is not known.
func Available() int64 { return 0 }
