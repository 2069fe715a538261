package generate

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// After skipped numbers, the generator gives the numbers that it would give without skipping.
func TestPCGAt(t *testing.T) {
	const seed = 0xfeed<<40 | 77
	all := rand.NewPCG(seed, 0)
	for steps := range uint64(300) {
		if got, want := pcgAt(seed, steps).Uint64(), all.Uint64(); got != want {
			t.Fatalf("after %d numbers: %d, not %d", steps, got, want)
		}
	}
	p := pcgAt(seed, 1<<40)
	for steps := uint64(1 << 40); steps < 1<<40+50; steps++ {
		if got, want := p.Uint64(), pcgAt(seed, steps).Uint64(); got != want {
			t.Fatalf("after %d numbers: %d, not %d", steps, got, want)
		}
	}
}

// Edges come in order, whoever makes them, and none after the last one that is taken.
func TestInParallel(t *testing.T) {
	for _, total := range []int64{0, 1, block - 1, block, block + 1, 9*block + 5} {
		for _, makers := range []int{1, 2, 7} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(makers))
			edges := inParallel(0, total, func(from int64, edges [][2]uint64) {
				for i := range edges {
					edges[i] = [2]uint64{uint64(from) + uint64(i), 3 * (uint64(from) + uint64(i))}
				}
			})
			for _, enough := range []int64{0, 1, block, 3*block + 1, total} {
				var got []uint64
				for u, v := range edges {
					if v != 3*u {
						t.Fatalf("edge %d, %d", u, v)
					}
					got = append(got, u)
					if int64(len(got)) >= enough && enough < total {
						break
					}
				}
				if want := min(max(enough, min(1, total)), total); int64(len(got)) != want || !slices.IsSorted(got) || len(got) > 0 && got[0] != 0 {
					t.Errorf("%d edges, %d makers, %d wanted: %d came", total, makers, enough, len(got))
				}
			}
		}
	}
}
