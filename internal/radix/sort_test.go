package radix

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

func testRadixSort[K Key](t *testing.T, most int) {
	random := rand.New(rand.NewPCG(1, uint64(most)))
	for _, size := range []int{0, 1, 2, ShortSort - 1, ShortSort, ShortSort + 1, 5000, PauseKeys, PauseKeys + 1} {
		for width := 0; width <= most; width += 1 + width/2 {
			keys := make([]K, size)
			for i := range keys {
				keys[i] = K(random.Uint64() >> (64 - width))
			}
			want := slices.Clone(keys)
			slices.Sort(want)
			for threads := 1; threads <= 4; threads += 3 {
				got, err := SortApart(t.Context(), threads, slices.Clone(keys), make([]K, size), width)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d keys of %d bits are not sorted by %d threads, %v", size, width, threads, err)
				}
			}
			got := Sort(context.Background(), keys, make([]K, size), width)
			if !slices.Equal(got, want) {
				t.Fatalf("%d keys of %d bits are not sorted", size, width)
			}
		}
		width := most
		keys := make([]K, size)
		for i := range keys {
			keys[i] = ^K(0) - K(random.IntN(3))
		}
		got := Sort(context.Background(), keys, make([]K, size), width)
		if !slices.IsSorted(got) {
			t.Fatalf("%d keys with all bits in use are not sorted", size)
		}
	}
}

func TestRadixSort(t *testing.T) {
	t.Run("32 bits", func(t *testing.T) { testRadixSort[uint32](t, 32) })
	t.Run("64 bits", func(t *testing.T) { testRadixSort[uint64](t, 64) })
}

func BenchmarkRadixSort(b *testing.B) {
	random := rand.New(rand.NewPCG(2, 2))
	keys := make([]uint32, 1<<15)
	for i := range keys {
		keys[i] = random.Uint32() >> 1
	}
	work, spare := slices.Clone(keys), make([]uint32, len(keys))
	b.SetBytes(int64(4 * len(keys)))
	for b.Loop() {
		copy(work, keys)
		Sort(context.Background(), work, spare, 31)
	}
}
