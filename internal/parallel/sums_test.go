package parallel

import (
	"math/rand/v2"
	"testing"
)

func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{0, 1, Interval, Interval + 1, 5*Interval - 1} {
		list := make([]uint32, n)
		for i := range list {
			list[i] = random.Uint32() // the sums wrap around
		}
		sums := append([]uint32(nil), list...)
		Sums(3, sums)
		sum := uint32(0)
		for i, x := range list {
			if sum += x; sums[i] != sum {
				t.Fatalf("%d numbers: sum %d is %d, want %d", n, i, sums[i], sum)
			}
		}
	}
}

func TestTotal(t *testing.T) {
	for _, n := range []int{0, 1, Interval - 1, Interval, Interval + 1, 5*Interval + 3} {
		for _, threads := range []int{1, 2, 7} {
			got := Total(threads, n, Interval, func(lo, hi int) (sum int64) {
				for i := lo; i < hi; i++ {
					sum += int64(i)
				}
				return sum
			})
			if want := int64(n) * int64(n-1) / 2; got != want {
				t.Errorf("%d numbers, %d threads: %d, want %d", n, threads, got, want)
			}
		}
	}
}
