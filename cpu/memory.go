package cpu

import (
	"unsafe"

	"bcstage/cpu/internal/pages"
)

const cacheLine = pages.CacheLine

// rowLanes is the number of lanes of a row for so many sources: a power of two,
// and whole cache lines.
func rowLanes[T float32 | float64](sources int) int {
	lanes := cacheLine / int(unsafe.Sizeof(T(0)))
	for lanes < sources {
		lanes *= 2
	}
	return lanes
}

// rowBytes is how many bytes a row of so many sources takes.
func rowBytes[T float32 | float64](sources int) int {
	return rowLanes[T](sources) * int(unsafe.Sizeof(T(0)))
}

// resize gives a slice of length n with any content, in the same memory if that
// is large enough.
func resize[E any](s []E, n int) []E {
	if n > cap(s) {
		return make([]E, n)
	}
	return s[:n]
}

// reserve gives an empty slice with room for n, in the same memory if that is
// large enough.
func reserve[E any](s []E, n int) []E {
	if n > cap(s) {
		return make([]E, 0, n)
	}
	return s[:0]
}

func cleared[E any](s []E, n int) []E {
	s = resize(s, n)
	clear(s)
	return s
}
