// Package pages gives engines memory for what they keep by vertex and lane.
package pages

import "unsafe"

// CacheLine is in bytes.
const CacheLine = 64

// hugePage is in bytes, on processors with pages of 4 KiB.
const hugePage = 2 << 20

// Aligned gives room for n numbers with any content, in the same memory if that is large
// enough; new memory is zero, and on large pages where the system has them. The second
// slice begins on a cache line of the memory, so that a row touches no more lines than it
// must.
func Aligned[T uint16 | uint64 | float32 | float64](memory []T, n int) (whole, rows []T) {
	return room(memory, n, touch)
}

// InOrder is Aligned for rows of which each is written before it is read. Pages of rows
// that are never written are never given.
func InOrder[T uint16 | uint64 | float32 | float64](memory []T, n int) (whole, rows []T) {
	return room(memory, n, func([]T) {})
}

func room[T uint16 | uint64 | float32 | float64](memory []T, n int, touch func([]T)) (whole, rows []T) {
	size := int(unsafe.Sizeof(T(0)))
	_, edge, need := layout(n * size)
	if need > cap(memory)*size {
		enough := Grown(n, cap(memory))
		var large int
		large, edge, need = layout(enough * size)
		memory = make([]T, need/size+1)
		countAside(int64(len(memory)-enough) * int64(size))
		rows = from(memory, edge)
		adviseHuge(rows[:large*hugePage/size])
		touch(rows[:n])
	}
	return memory, from(memory, edge)[:n]
}

// layout says how many large pages so many bytes are on, where they begin and how many that takes.
func layout(bytes int) (large, edge, need int) {
	// From half a large page on, the system takes longer for small ones than for the large one.
	if large = (bytes + hugePage/2) / hugePage; large > 0 {
		return large, hugePage, max(bytes, large*hugePage) + hugePage
	}
	return 0, CacheLine, bytes + CacheLine
}

// Grown is how much room to make for n, where there is some, but too little. Parts of blocks that follow each
// other may each be a little larger than the one before: room that grows by half grows seldom.
func Grown(n, had int) int { return max(n, had+had/2) }

// from is the memory from the first multiple of edge on.
func from[T any](memory []T, edge int) []T {
	address := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	return memory[-address%uintptr(edge)/unsafe.Sizeof(*new(T)):]
}

// touch writes to every small page of memory that is not on large ones. A kernel reads a
// row before it writes there, and such a page would be given twice: one of zeros
// for all to the read, and its own to the write, for which the system
// interrupts all other cores of the process.
func touch[T uint16 | uint64 | float32 | float64](memory []T) {
	const page = 4096
	step := page / int(unsafe.Sizeof(T(0)))
	for i := 0; i < min(len(memory), 2*hugePage/int(unsafe.Sizeof(T(0)))); i += step {
		memory[i] = 0
	}
}

// Resize gives a slice of length n with any content, in the same memory if that is large
// enough.
func Resize[E any](s []E, n int) []E {
	if n > cap(s) {
		s = make([]E, Grown(n, cap(s)))
	}
	return s[:n]
}

// Reserve gives an empty slice with room for n, likewise.
func Reserve[E any](s []E, n int) []E { return Resize(s, n)[:0] }

// Cleared is Resize for a slice of nothing but zeros. What is new is written to as well: see touch.
func Cleared[E any](s []E, n int) []E {
	s = Resize(s, n)
	clear(s)
	return s
}
