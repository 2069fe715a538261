//go:build !linux

package cpu

// adviseHuge asks for large pages where a system has a call for that.
func adviseHuge[T any]([]T) {}
