package ledger

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// At any time, columns are as if each result had been added at once. Each of the two blocks of a directed graph adds to
// its own direction, and the block of path counts to neither.
func TestFoundOfBlocks(t *testing.T) {
	const n = 40
	builder := building.NewBuilder(1)
	builder.Directed = true
	var src, dst building.Keys
	for v := range uint64(n) {
		src.Ints, dst.Ints = append(src.Ints, v, v), append(dst.Ints, (v*7+1)%n, (v*3+2)%n)
	}
	if err := builder.AddEdges(src, dst); err != nil {
		t.Fatal(err)
	}
	in, err := builder.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	asked := question.Question{Directed: true, Measures: []string{
		measures.Betweenness, measures.Harmonic + measures.In, measures.Harmonic + measures.Out, measures.Farness + measures.Out, measures.Eccentricity + measures.In,
	}}
	plan, err := preprocess.Reduce(t.Context(), &in.Graph, preprocess.Options{Question: asked, Lanes: 4})
	if err != nil {
		t.Fatal(err)
	}
	books, want := New(plan, Names{}, engine.Float64, Shard{}, nil, nil, 1), New(plan, Names{}, engine.Float64, Shard{}, nil, nil, 1)
	r := rand.New(rand.NewPCG(3, 23))
	found, looked := 0, 0
	books.Touch(t.Context())
	if room := len(plan.Blocks[0].Offsets); cap(books.spare) < room-1 {
		t.Errorf("room for %d sums", cap(books.spare))
	}
	for _, batch := range plan.Batches {
		block := &plan.Blocks[batch.Block]
		if !block.Distances {
			continue
		}
		for range 3 {
			result := engine.Result{Batch: batch, Found: make([]engine.Found, block.Vertices()), Together: true}
			for v := range result.Found {
				// Three of these exceed 64 bits.
				result.Found[v] = engine.Found{Reach: 1 + r.Uint64N(9), Farness: r.Uint64N(90), Harmonic: r.Uint64() / 2, HarmonicHigh: r.Uint64N(2), Eccentricity: r.Uint64N(7)}
			}
			found++
			books.Enter("cpu", false, []engine.Batch{batch}, result, 0)
			want.addToColumns(batch.Block, result.Found, nil)
			if r.IntN(3) == 0 {
				looked++
				compareColumns(t, books.Snapshot(), want)
				books.Touch(t.Context())
			}
		}
	}
	if found < 12 || looked < 3 {
		t.Fatalf("%d results, %d looks", found, looked)
	}
	compareColumns(t, books.Close(), want)
}

func compareColumns(t *testing.T, got *Partial, want *Ledger) {
	t.Helper()
	for i, c := range want.now.columns {
		if !slices.Equal(got.columns[i].sums.words, c.sums.words) {
			t.Fatalf("%s: %v, want %v", c.Name, got.columns[i].sums.words, c.sums.words)
		}
	}
}
