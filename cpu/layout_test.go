package cpu

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/preprocess"
)

// A block that is laid out gives the same bits in the same places, batch after batch.
func TestLayoutKeepsBits(t *testing.T) {
	for _, set := range kernelSets() {
		testLayout(t, set, set.float64, set.far64)
		testLayout(t, set, set.float32, set.far32)
	}
}

func testLayout[T float32 | float64](t *testing.T, set kernelSet, near, far map[int]kernels[T]) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 20 {
		n := 2 + r.IntN(300)
		b := randomBlock(r, n, r.IntN(4*n), 1+r.IntN(maxLanes))
		r.Shuffle(n, func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
		b.Farness = make([]uint16, n)
		for v := range b.Farness {
			b.Farness[v] = uint16(r.IntN(6))
		}
		plain, laid := &search[T]{sets: near}, &search[T]{sets: near, far: far}
		for first := 0; first < n; first += b.Lanes {
			batch := preprocess.Batch{First: first, Count: min(b.Lanes, n-first)}
			want, err := plain.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			if laid.block == nil { // else the block is too small
				laid.block, laid.widest, laid.layout, laid.dirty = b, plain.widest, layOut(b), true
			}
			got, err := laid.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Scores, want.Scores) || !slices.Equal(got.Want, want.Want) || !reflect.DeepEqual(got.Work, want.Work) {
				t.Fatalf("%s: the layout of %d vertices changes batch %d", set.name, n, first/b.Lanes)
			}
		}
	}
}
