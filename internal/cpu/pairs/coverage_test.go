package pairs

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/internal/bound"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// Over many seeds, any interval of any vertex at any stage of pairs may miss the
// exact score only in the agreed share of runs. The normal interval with
// Bonferroni's correction runs beside it, and must fail.
func TestIntervalsHold(t *testing.T) {
	const risk = 0.1
	seeds := uint64(max(200/testgraphs.OneIn, 20))
	r := rand.New(rand.NewPCG(6, 6))
	streets := testgraphs.CutGrid(r, 300, 1)
	blocks := map[string]*preprocess.Block{
		"streets": testblocks.Of(order(streets), streets, 64),
		"social":  uneven(rand.New(rand.NewPCG(7, 7)), testblocks.Of(400, testgraphs.Random(r, 400, 400, 900), 64)),
	}
	blocks["streets, lengths"] = withLengths(r, blocks["streets"], 9)
	for name, b := range blocks {
		want := truth(t, b)
		z := math.Sqrt2 * math.Erfinv(1-risk/float64(len(want)))
		missed, control := 0, 0
		for seed := range seeds {
			known, err := bound.New(bound.Options{Vertices: b.Vertices(), Risk: risk, Range: 1, Longest: float64(longestOf(t, b)), Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			miss, normal := false, false
			var total Counts
			for stage := uint64(0); total.Draws < 20_000; stage++ {
				c := draw(t, b, Draws{Seed: seed, Stage: stage, Count: max(500, total.Draws/4), Threads: 1})
				total.Add(c)
				sum := make([]float64, len(c.Inner))
				for v, count := range c.Inner {
					sum[v] = float64(count)
				}
				length := bound.Length{Sum: float64(c.Length), Squares: float64(c.Squares)}
				if err := known.Add(context.Background(), bound.Stage{Draws: c.Draws, Left: 1, Sum: sum, Squares: sum, Length: length}); err != nil {
					t.Fatal(err)
				}
				for v, score := range want {
					i := known.At(v)
					miss = miss || score < i.Lower-1e-12 || score > i.Upper+1e-12
					mean := float64(total.Inner[v]) / float64(total.Draws)
					normal = normal || math.Abs(mean-score) > z*math.Sqrt(mean*(1-mean)/float64(total.Draws))+1e-12
				}
			}
			if miss {
				missed++
			}
			if normal {
				control++
			}
		}
		t.Logf("%s: missed in %d of %d runs, the control in %d", name, missed, seeds, control)
		if float64(missed) > risk*float64(seeds) {
			t.Errorf("%s: some interval missed in %d of %d runs", name, missed, seeds)
		}
		if float64(control) < 2*risk*float64(seeds) {
			t.Errorf("%s: the control missed in %d of %d runs only: this test would not notice a dishonest bound", name, control, seeds)
		}
	}
}
