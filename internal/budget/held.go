package budget

import "unsafe"

// Held returns the memory of a slice, used or not.
func Held[E any](s []E) int64 {
	var e E
	return int64(cap(s)) * int64(unsafe.Sizeof(e))
}
