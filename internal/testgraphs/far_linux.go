package testgraphs

import (
	"syscall"
	"testing"
	"unsafe"
)

// Far returns the rows of a graph at positions around 2^32: arcs are numbered as in a graph of that many, whose first
// rows are missing. The memory before them is never touched. It skips the test where there is no room for addresses.
func Far(t testing.TB, offsets []int64, targets []uint32) ([]int64, []uint32) {
	t.Helper()
	base := 1<<32 - len(targets)/2
	all := base + len(targets)
	memory, err := syscall.Mmap(-1, 0, 4*all, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("no room for 2^32 arcs: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(memory) })
	far := make([]int64, len(offsets))
	for v, at := range offsets {
		far[v] = int64(base) + at
	}
	rows := unsafe.Slice((*uint32)(unsafe.Pointer(&memory[0])), all)
	copy(rows[base:], targets)
	return far, rows
}
