//go:build !darwin && !freebsd && !linux

package cli

// freeBytes is not known here.
func freeBytes(string) (bytes int64, known bool) { return 0, false }
