package pairs

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"bcstage/internal/bound"
	"bcstage/internal/testblocks"
	"bcstage/preprocess"
)

// BenchmarkEstimate samples until the scores of the largest block are known to eps
// of all ordered pairs, with confidence 0.9: sampling, bound and intervals, on one
// core.
func BenchmarkEstimate(b *testing.B) {
	for _, c := range []struct {
		graph string
		eps   []float64
	}{
		{"wiki-Vote.txt.gz", []float64{0.01, 0.001}},
		{"soc-Epinions1.txt.gz", []float64{0.01, 0.001}},
		{"deezer_HU_edges.csv.gz", []float64{0.01, 0.001}},
		{"rome99.gr.gz", []float64{0.01}},
	} {
		plan := testblocks.Published(b, c.graph, preprocess.Options{})
		for _, eps := range c.eps {
			b.Run(fmt.Sprint(c.graph[:strings.Index(c.graph, ".")], "/", eps), func(b *testing.B) {
				for b.Loop() {
					draws, stages, half := estimate(b, plan, eps, 0.1)
					b.ReportMetric(float64(draws), "pairs")
					b.ReportMetric(float64(stages), "stages")
					b.ReportMetric(half, "eps")
				}
			})
		}
	}
}

func estimate(t testing.TB, plan *preprocess.Plan, eps, risk float64) (draws int64, stages uint64, half float64) {
	ctx := context.Background()
	block := &plan.Blocks[0]
	s := New(block, 2)
	mass, n := 0.0, float64(plan.Vertices)
	for _, m := range block.From {
		mass += m
	}
	share := mass * mass / (n * (n - 1))
	known, err := bound.New(bound.Options{Vertices: block.Vertices(), Risk: risk, Range: 1, Longest: float64(longestOf(t, block)), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	for half = 1; half > eps; stages++ {
		c, err := s.Draw(ctx, Draws{Seed: 1, Stage: stages, Count: max(1000, draws/4), Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		sum := make([]float64, len(c.Inner))
		for v, count := range c.Inner {
			sum[v] = float64(count)
		}
		length := bound.Length{Sum: float64(c.Length), Squares: float64(c.Squares)}
		if err := known.Add(ctx, bound.Stage{Draws: c.Draws, Left: 1, Sum: sum, Squares: sum, Length: length}); err != nil {
			t.Fatal(err)
		}
		draws += c.Draws
		if half, err = known.Eps(ctx); err != nil {
			t.Fatal(err)
		}
		half *= share
	}
	if _, err := known.Intervals(ctx); err != nil {
		t.Fatal(err)
	}
	return draws, stages, half
}
