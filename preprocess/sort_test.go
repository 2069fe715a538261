package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortRow(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, length := range []int{0, 1, 2, shortRow - 1, shortRow, shortRow + 1, 255, 256, 257, 5000} {
		for width := 1; width <= 31; width++ {
			row := make([]uint32, length)
			for i := range row {
				row[i] = r.Uint32N(1 << width)
			}
			want := slices.Sorted(slices.Values(row))
			sortRow(row, make([]uint32, length), width)
			if !slices.Equal(row, want) {
				t.Fatalf("%d vertices below 2^%d are not sorted", length, width)
			}
		}
	}
}

func BenchmarkSortRow(b *testing.B) {
	r := rand.New(rand.NewPCG(21, 22))
	rows := make([]uint32, 1<<20)
	for i := range rows {
		rows[i] = r.Uint32N(1 << 20)
	}
	work, spare := make([]uint32, len(rows)), make([]uint32, 300)
	b.SetBytes(int64(4 * len(rows)))
	for b.Loop() {
		copy(work, rows)
		for row := range slices.Chunk(work, len(spare)) {
			sortRow(row, spare[:len(row)], 20)
		}
	}
}
