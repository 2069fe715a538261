package acyclic_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/cpu/internal/acyclic"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// A batch has the same bits in any order of batches and if it is cut otherwise than others: whether a search follows
// arcs or has looked ahead, it lists the same vertices.
func TestAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 11))
	for round := range 60 / testgraphs.OneIn {
		n := 400 + r.IntN(3000)
		b := testblocks.Acyclic(r, n, n+r.IntN(4*n), 64)
		batches := slices.Clone(testblocks.Plan(b).Batches)
		for range 4 {
			first := r.IntN(len(b.Sources))
			batches = append(batches, engine.Batch{First: first, Count: 1 + r.IntN(min(64, len(b.Sources)-first))})
		}
		one := acyclic.New("avx512")
		order := slices.Concat(batches, batches) // in order, and at random
		r.Shuffle(len(batches), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, batch := range order {
			got, err := one.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			want, err := acyclic.New("avx512").Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: batch %+v has %+v, after others %+v", round, batch, want.Work, got.Work)
			}
		}
	}
}
