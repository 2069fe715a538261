// Package pages allocates the memory that engines keep by vertex and lane.
package pages

import (
	"sync"
	"unsafe"

	"bcstage/internal/parallel"
)

// CacheLine is the size of a cache line in bytes.
const CacheLine = 64

// hugePage is the size of a large page in bytes, on processors with pages of 4 KiB.
const hugePage = 2 << 20

// number is what rows hold.
type number interface {
	int16 | uint16 | int32 | uint64 | float32 | float64
}

// Aligned returns room for n numbers with any content, in the same memory if that is large enough. New memory
// is zero, and on large pages where the system has them. The second slice begins on a cache line, so that a
// row touches as few lines as possible.
func Aligned[T number](memory []T, n int) (whole, rows []T) {
	return room(memory, n, touch)
}

// Large returns a list of zeros, on large pages where the system has them: those of visits in no order.
func Large[T any](n int) []T {
	list := make([]T, n)
	adviseHuge(bytesOf(list))
	return list
}

// fewestGiven is the size of lists that are worth giving back.
const fewestGiven = 64 << 20

// GiveBack begins to give the memory of lists that nobody reads again back to the system, if they are large, on so many
// goroutines, and returns the function that waits for the end.
func GiveBack(threads int, lists [][]uint32) (wait func()) {
	bytes := 0
	for _, list := range lists {
		bytes += 4 * len(list)
	}
	var group sync.WaitGroup
	if bytes >= fewestGiven {
		group.Go(func() {
			parallel.EachWhole(threads, len(lists), func(_, i int) { giveBack(bytesOf(lists[i])) })
		})
	}
	return group.Wait
}

func bytesOf[T any](memory []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(memory))), uintptr(len(memory))*unsafe.Sizeof(*new(T)))
}

// InOrder is Aligned for rows that are written before they are read. Pages of rows that are never written are
// never allocated.
func InOrder[T number](memory []T, n int) (whole, rows []T) {
	return room(memory, n, func([]T) {})
}

func room[T number](memory []T, n int, touch func([]T)) (whole, rows []T) {
	size := int(unsafe.Sizeof(T(0)))
	_, edge, need := layout(n * size)
	if need > cap(memory)*size {
		enough := Grown(n, cap(memory))
		var large int
		large, edge, need = layout(enough * size)
		memory = make([]T, need/size+1)
		countAside(int64(len(memory)-enough) * int64(size))
		rows = from(memory, edge)
		adviseHuge(bytesOf(rows[:large*hugePage/size]))
		touch(rows[:n])
	}
	return memory, from(memory, edge)[:n]
}

// layout returns how many large pages hold that many bytes, at which multiple they begin, and the bytes needed.
func layout(bytes int) (large, edge, need int) {
	// From half a large page on, allocating small pages takes longer than the large one.
	if large = (bytes + hugePage/2) / hugePage; large > 0 {
		return large, hugePage, max(bytes, large*hugePage) + hugePage
	}
	return 0, CacheLine, bytes + CacheLine
}

// Grown returns how much room to make for n, if there is some but too little. Consecutive parts of blocks may
// each be a little larger than the last: room that grows by half grows seldom.
func Grown(n, had int) int { return max(n, had+had/2) }

// from returns the memory from the first multiple of edge on.
func from[T any](memory []T, edge int) []T {
	address := uintptr(unsafe.Pointer(unsafe.SliceData(memory)))
	return memory[-address%uintptr(edge)/unsafe.Sizeof(*new(T)):]
}

// touch writes to every small page of memory outside large ones. A kernel reads a row before it writes there.
// Such a page would be allocated twice: a shared page of zeros for the read, and its own for the write, for
// which the system interrupts all other cores of the process.
func touch[T number](memory []T) {
	const page = 4096
	step := page / int(unsafe.Sizeof(T(0)))
	for i := 0; i < min(len(memory), 2*hugePage/int(unsafe.Sizeof(T(0)))); i += step {
		memory[i] = 0
	}
}

// Resize returns a slice of length n with any content, in the same memory if that is large enough.
func Resize[E any](s []E, n int) []E {
	if n > cap(s) {
		s = make([]E, Grown(n, cap(s)))
	}
	return s[:n]
}

// Reserve returns an empty slice with room for n, likewise.
func Reserve[E any](s []E, n int) []E { return Resize(s, n)[:0] }

// Cleared is Resize for a slice of zeros. It writes new memory, too: see touch.
func Cleared[E any](s []E, n int) []E {
	s = Resize(s, n)
	clear(s)
	return s
}
