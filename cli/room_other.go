//go:build !darwin && !freebsd && !linux

package cli

// freeBytes is unknown here.
func freeBytes(string) (bytes int64, known bool) { return 0, false }
