package bound

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
)

// populations are small enough for exact truths, and each is hard in its own
// way.
func populations() []*population {
	r := rand.New(rand.NewPCG(3, 1))
	hung := testgraphs.Random(r, 300, 300, 600) // shallow, with bushes of very different sizes
	weight := make([]int, 300)
	for v := range weight {
		weight[v] = 1 + int(math.Pow(8, r.ExpFloat64()-1))
	}
	return []*population{
		spikes(3000, 200),
		sources("streets", testgraphs.CutGrid(r, 600, 1.5), nil),
		sources("bushes", hung, weight),
		sources("deep", testgraphs.Random(r, 500, 10, 60), nil),
		sources("star and path", testgraphs.Join(testgraphs.Star(0, 300), testgraphs.Path(300, 360)), nil),
	}
}

const slack = 1e-12 // rounding of truths and sums

// Over many seeds, any interval of any vertex at any stage may miss the truth
// only in the agreed share of the runs. The control is the normal interval of
// textbooks, with Bonferroni's correction over all vertices: it must fail.
func TestCoverage(t *testing.T) {
	seeds := max(200/testgraphs.OneIn, 20)
	r := rand.New(rand.NewPCG(3, 2))
	before := testgraphs.Random(r, 400, 400, 700)
	after := slices.Clone(before)
	for range 6 { // the first edges are the tree's
		after[len(after)-1-r.IntN(700)] = testgraphs.Edge{r.Uint32N(400), r.Uint32N(400)}
	}
	for _, p := range append(populations(), differences("differences", sources("", after, nil), sources("", before, nil))) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			const risk = 0.1
			z := math.Sqrt2 * math.Erfinv(1-risk/float64(len(p.truth)))
			missed, control := 0, 0
			for seed := range seeds {
				miss, normal := false, false
				sum, squares := make([]float64, len(p.truth)), make([]float64, len(p.truth))
				run(t, p, p.options(risk), uint64(seed), func(b *Bound, c Columns, s *Stage) {
					k := float64(b.Draws())
					for v := range c.Lower {
						truth := p.of(v)
						miss = miss || truth < c.Lower[v]-slack || truth > c.Upper[v]+slack || c.Estimate[v] < c.Lower[v] || c.Estimate[v] > c.Upper[v]
					}
					for v, truth := range p.truth {
						sum[v], squares[v] = sum[v]+s.Sum[v], squares[v]+s.Squares[v]
						mean := sum[v] / k
						deviation := math.Sqrt(max(squares[v]/k-mean*mean, 0) / k)
						normal = normal || s.Left > 0 && math.Abs(mean-truth) > z*deviation+slack
					}
				})
				if miss {
					missed++
				}
				if normal {
					control++
				}
			}
			t.Logf("missed in %d of %d runs, the control in %d", missed, seeds, control)
			if float64(missed) > risk*float64(seeds) {
				t.Errorf("some interval missed in %d of %d runs: more than %v of them", missed, seeds, risk)
			}
			if float64(control) <= 2*risk*float64(seeds) {
				t.Errorf("the control missed in %d of %d runs only: this test would not notice a dishonest bound", control, seeds)
			}
		})
	}
}
