//go:build !linux

package pages

// adviseHuge asks for large pages where a system has a call for that.
func adviseHuge[T any]([]T) {}
