package cpu

import "unsafe"

// cacheLine is in bytes.
const cacheLine = 64

// rowLanes is the number of lanes of a row for so many sources: a power of two,
// and whole cache lines.
func rowLanes[T float32 | float64](sources int) int {
	lanes := cacheLine / int(unsafe.Sizeof(T(0)))
	for lanes < sources {
		lanes *= 2
	}
	return lanes
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

// touch writes to every small page of memory that is not on large ones. A kernel reads a
// row before it writes there, and such a page would be given twice: one of zeros
// for all to the read, and its own to the write, for which the system
// interrupts all other cores of the process.
func touch[T float32 | float64](memory []T) {
	const page = 4096
	step := page / int(unsafe.Sizeof(T(0)))
	for i := 0; i < min(len(memory), 2*hugePage/int(unsafe.Sizeof(T(0)))); i += step {
		memory[i] = 0
	}
}

// aligned is resize for rows: the second slice begins on a cache line of the
// memory, so that a row touches no more lines than it must.
func aligned[T float32 | float64](memory []T, n int) (whole, rows []T) {
	size := unsafe.Sizeof(T(0))
	if need := n + cacheLine/int(size); need > cap(memory) {
		memory = make([]T, need)
		adviseHuge(memory)
		touch(memory)
	} else {
		memory = memory[:need]
	}
	address := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	skip := int((-address % cacheLine) / size)
	return memory, memory[skip : skip+n]
}
