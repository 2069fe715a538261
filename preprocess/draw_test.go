package preprocess_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/cpu/textbook"
	"bcstage/internal/csr"
	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// Every source of the block is in one stage, stages have their sizes, and all
// together give the plan's scores.
func TestDraw(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 1))
	cutOnce := false
	for round := range 60 {
		n := 30 + r.IntN(400)
		g := graphFrom(n, testgraphs.Random(r, n, n, n/4+r.IntN(2*n)))
		p, err := preprocess.Reduce(t.Context(), g, preprocess.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		block, ok := p.Drawable(false)
		if !ok {
			continue
		}
		drawing := draws.Drawing{Seed: uint64(round), Linear: round%2 == 0}
		if round%3 == 0 {
			drawing.Cuts = []int{40, 100}
		}
		q, err := p.Draw(t.Context(), block, drawing, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.Draw(t.Context(), block, drawing, 3)
		if err != nil || !reflect.DeepEqual(q, again) {
			t.Fatalf("threads change the drawing: %v", err)
		}
		b := &q.Blocks[block]
		if sorted := slices.Sorted(slices.Values(b.Sources)); len(sorted) != b.Vertices() || len(slices.Compact(sorted)) != b.Vertices() {
			t.Fatalf("%d sources of %d, or some twice", len(b.Sources), b.Vertices())
		}
		drawn, settled, at := 0, 0.0, q.Drawn.Stages[0].First
		for _, s := range q.Drawn.Stages {
			size := max(64, drawn/4)
			for _, cut := range drawing.Cuts {
				if drawn < cut && cut < drawn+size {
					size, cutOnce = cut-drawn, true
				}
			}
			draws, from := 0.0, 0.0
			for _, batch := range q.Batches[s.First:s.End] {
				if batch.Block != block || batch.Count > b.Lanes {
					t.Fatalf("batch %+v of a stage", batch)
				}
				for _, v := range b.Sources[batch.First : batch.First+batch.Count] {
					draws += b.Draws[v]
					from += b.From[v]
					if b.Draws[v] < 1 || b.Draws[v] > b.From[v] {
						t.Fatalf("source %d drawn %v times, of mass %v", v, b.Draws[v], b.From[v])
					}
				}
			}
			drawn += s.Draws
			settled += from
			if s.First != at || draws != float64(s.Draws) || from != s.From || s.Draws > size || s.Draws < size && settled < q.Drawn.From {
				t.Fatalf("stage %+v: from batch %d, %v draws, mass %v, size %d", s, at, draws, from, size)
			}
			at = s.End
		}
		if at != len(q.Batches) || settled != q.Drawn.From || settled != q.Drawn.To {
			t.Fatalf("stages end at batch %d of %d, %v of %v settled", at, len(q.Batches), settled, q.Drawn.From)
		}
		for i, batch := range q.Batches {
			if batch.Index != i {
				t.Fatalf("batch %d is numbered %d", i, batch.Index)
			}
		}
		want, got := sumsOf(t, p), sumsOf(t, q)
		for v := range want {
			if d := want[v] - got[v]; d > 1e-9*want[v] || d < -1e-9*want[v] {
				t.Fatalf("round %d: vertex %d has %v in stages, not %v", round, v, got[v], want[v])
			}
		}
	}
	if !cutOnce {
		t.Error("no stage was cut")
	}
}

// sumsOf adds up the scores of all batches of a plan.
func sumsOf(t *testing.T, p *preprocess.Plan) []float64 {
	t.Helper()
	sums := make([]float64, p.Vertices)
	for _, batch := range p.Batches {
		b := &p.Blocks[batch.Block]
		scores, sources := make([]float64, b.Vertices()), b.Sources[batch.First:][:batch.Count]
		if err := textbook.Scores(t.Context(), b, sources, scores, make([]float64, batch.Count), make([]float64, batch.Count)); err != nil {
			t.Fatal(err)
		}
		b.Each([]engine.Batch{batch}, scores, func(v uint32, x float64) { sums[v] += x })
	}
	return sums
}

// No two orders are equal, and every original is first about equally often.
func TestDrawIsRandom(t *testing.T) {
	const n, seeds = 50, 2000
	g := graphFrom(n, testgraphs.Random(rand.New(rand.NewPCG(3, 3)), n, n, 3*n))
	p, err := preprocess.Reduce(t.Context(), g, preprocess.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	first := make([]float64, p.Blocks[0].Vertices())
	for seed := range uint64(seeds) {
		q, err := p.Draw(t.Context(), 0, draws.Drawing{Seed: seed, Cuts: []int{1}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		first[q.Blocks[0].Sources[0]]++
	}
	chi := 0.0
	for v, count := range first {
		expected := seeds * p.Blocks[0].From[v] / n
		chi += (count - expected) * (count - expected) / expected
	}
	if freedom := float64(len(first)); chi > freedom+6*1.5*7 { // six standard deviations, sqrt(2*49), and some
		t.Errorf("chi-squared is %v for %v sources", chi, freedom)
	}
}

func graphFrom(n int, edges []testgraphs.Edge) *csr.Graph {
	g := &csr.Graph{}
	g.Offsets, g.Targets = testgraphs.Rows(n, edges)
	return g
}
