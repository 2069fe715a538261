package pages

import (
	"testing"
	"unsafe"
)

// Rows begin on a cache line, are zero when new, and can all be written, also
// when they need large pages.
func TestAligned(t *testing.T) { testRows(t, Aligned[float64]) }

func TestInOrder(t *testing.T) { testRows(t, InOrder[float64]) }

func testRows(t *testing.T, room func(memory []float64, n int) (whole, rows []float64)) {
	var memory, rows []float64
	for _, n := range []int{1, 8, 1000, 1 << 16, 3<<20 + 5, 1 << 18, 3<<20 + 5} {
		before := cap(memory)
		memory, rows = room(memory, n)
		if len(rows) != n || uintptr(unsafe.Pointer(&rows[0]))%CacheLine != 0 {
			t.Fatalf("%d numbers: got %d at %p", n, len(rows), rows)
		}
		for i := range rows {
			if cap(memory) != before && rows[i] != 0 {
				t.Fatalf("%d numbers: [%d] is %v in new memory", n, i, rows[i])
			}
			rows[i] = float64(i)
		}
		for i := range rows {
			if rows[i] != float64(i) {
				t.Fatalf("%d numbers: [%d] is %v", n, i, rows[i])
			}
		}
	}
}
