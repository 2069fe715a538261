package cli

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The heap gives what sorting gives, with many ties and for any length.
func TestHighest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		scores := make([]float64, random.IntN(40))
		order := make([]uint32, len(scores))
		for v := range scores {
			scores[v] = float64(random.IntN(6))
			order[v] = uint32(v)
		}
		slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
		for _, most := range []int{0, 1, 2, 7, 39, 40, 100} {
			if got, want := highest(scores, most), order[:min(most, len(order))]; !slices.Equal(got, want) {
				t.Fatalf("%d highest of %v: %v, want %v", most, scores, got, want)
			}
		}
	}
}
