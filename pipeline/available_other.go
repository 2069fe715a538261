//go:build !linux

package pipeline

// availableMemory is not known.
func availableMemory() int64 { return 0 }
