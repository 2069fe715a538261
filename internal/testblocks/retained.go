package testblocks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testending"
	"bcstage/preprocess"
)

// Search computes batches.
type Search interface {
	Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error)
}

// NothingRetained fails the test if the state left by a search, whole or ended by its context at any check, shows in a
// later one, of the same block or of another.
func NothingRetained[S Search](t *testing.T, r *rand.Rand, rounds int, fresh func() S, draw func() *preprocess.Block) {
	t.Helper()
	for round := range rounds {
		used, blocks := fresh(), []*preprocess.Block{draw(), draw(), draw()}
		for range 12 {
			b := blocks[r.IntN(len(blocks))]
			batches := Plan(b).Batches
			batch := batches[r.IntN(len(batches))]
			if r.IntN(2) == 0 {
				_, _ = used.Run(testending.After(t.Context(), r.IntN(1<<r.IntN(7))), b, batch)
				continue
			}
			want, err := fresh().Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			got, err := used.Run(t.Context(), b, batch)
			got.Work, want.Work = engine.Work{}, engine.Work{} // a search that did not fit did more
			if got, want := fmt.Sprint(got), fmt.Sprint(want); err != nil || got != want {
				t.Fatalf("round %d, batch %+v: %s, %v; want %s", round, batch, got, err, want)
			}
		}
	}
}
