//go:build !linux

package machine

// Available is unknown.
func Available() int64 { return 0 }
