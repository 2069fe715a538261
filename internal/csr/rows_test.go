package csr

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/radix"
)

// randomRows are rows of the given lengths with members below 2^width. Offsets
// begin behind other rows.
func randomRows(random *rand.Rand, lengths []int, width int) (offsets []int64, targets []uint32) {
	offsets = []int64{1000}
	for _, length := range lengths {
		offsets = append(offsets, offsets[len(offsets)-1]+int64(length))
		for range length {
			targets = append(targets, random.Uint32N(1<<width))
		}
	}
	return offsets, targets
}

func TestSortRows(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 20))
	edge := []int{0, 1, 2, shortRow - 1, shortRow, shortRow + 1, radix.ShortSort, 255, 5000, sortTogether - 1, sortTogether, sortTogether + 1}
	for _, width := range []int{1, 5, 21, narrow - 1, narrow, narrow + 1, 31} {
		lengths := slices.Clone(edge)
		for range 3000 { // more than keys of 32 bits can separate
			lengths = append(lengths, random.IntN(3*shortRow))
		}
		random.Shuffle(len(lengths), func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
		for _, lengths := range [][]int{nil, {0}, {1}, {shortRow}, {sortTogether + 1}, lengths} {
			offsets, targets := randomRows(random, lengths, width)
			want := slices.Clone(targets)
			for i, end := range offsets[1:] {
				slices.Sort(want[offsets[i]-offsets[0] : end-offsets[0]])
			}
			SortRows(t.Context(), offsets, targets, width)
			if !slices.Equal(targets, want) {
				t.Fatalf("%d rows of vertices below 2^%d are not sorted", len(lengths), width)
			}
		}
	}
}

func BenchmarkSortRows(b *testing.B) {
	random := rand.New(rand.NewPCG(21, 22))
	for name, mean := range map[string]int{"short": 4, "middle": 80, "long": 5000} {
		b.Run(name, func(b *testing.B) {
			var lengths []int
			for total := 0; total < 1<<20; total += lengths[len(lengths)-1] {
				lengths = append(lengths, 1+random.IntN(2*mean))
			}
			offsets, rows := randomRows(random, lengths, 20)
			work := make([]uint32, len(rows))
			b.SetBytes(int64(4 * len(rows)))
			for b.Loop() {
				copy(work, rows)
				SortRows(context.Background(), offsets, work, 20)
			}
		})
	}
}
