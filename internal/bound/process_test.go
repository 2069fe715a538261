package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/internal/testgraphs"
)

// excessMean is the largest mean, over the members of a population, of the factor
// that one draw adds to a process if T is the truth. Everything depends on this
// mean being at most 1. It is computed for one in oneIn vertices.
func excessMean(p *population, reach float64, oneIn int) (worst float64) {
	for v := 0; v < len(p.truth); v += oneIn {
		truth := p.truth[v]
		for i := range rates {
			for _, guess := range []float64{0, truth / 2, truth, min(2*truth, reach)} {
				scale := max(guess, 1.1*truth) // that of a lower end
				above, below := 0.0, 0.0
				for s, row := range p.x {
					weight, d := float64(p.weight[s])/float64(p.members), row[v]-guess
					above += weight * math.Exp(rates[i]*(truth-row[v])/reach-costs[i]*d*d/(reach*reach))
					if scale > 0 {
						below += weight * math.Exp(rates[i]*(row[v]-truth)/scale-costs[i]*d*d/(scale*scale))
					}
				}
				worst = max(worst, above, below)
			}
		}
	}
	return worst
}

func TestFactors(t *testing.T) {
	for _, p := range populations() {
		if worst := excessMean(p, p.bound, testgraphs.OneIn); worst > 1+1e-12 {
			t.Errorf("%s: a factor has mean %v", p.name, worst)
		}
	}
}

// Linear values exceed 1 where nearly all targets are just behind a vertex: at
// the foot of a long path with a bush at its end, in front of the bush. A bound
// with a range of 1 is wrong there, and the test must show it.
func TestRangeOfLinearValues(t *testing.T) {
	var edges []testgraphs.Edge
	const arms, length = 20, 12
	for arm := range uint32(arms) { // arms of blocks: two paths side by side, with rungs
		at := 1 + arm*2*length
		edges = append(edges, testgraphs.Join(testgraphs.Path(at, at+length-1), testgraphs.Path(at+length, at+2*length-1))...)
		for i := range uint32(length) {
			edges = append(edges, testgraphs.Edge{at + i, at + length + i})
		}
		edges = append(edges, testgraphs.Edge{0, at}, testgraphs.Edge{0, at + length})
	}
	weight := make([]int, 1+arms*2*length)
	for v := range weight {
		weight[v] = 1
	}
	weight[0] = 40_000 // the bush
	p := sources("arms", edges, weight)
	largest := 0.0
	for _, row := range p.x {
		for _, x := range row {
			largest = max(largest, x)
		}
	}
	if largest <= 1 || largest > p.bound {
		t.Fatalf("the largest value is %v: not above 1, or above the range, %v", largest, p.bound)
	}
	if worst := excessMean(p, p.bound, testgraphs.OneIn); worst > 1+1e-12 {
		t.Errorf("range %v: a factor has mean %v", p.bound, worst)
	}
	if worst := excessMean(p, 1, testgraphs.OneIn); worst <= 1+1e-9 {
		t.Errorf("range 1: all factors have means up to %v, so this test would not notice", worst)
	}
}

// The whole process at the truth, over stages without replacement and with
// guesses from earlier ones: its mean over many runs must not exceed 1.
func TestProcessAtTheTruth(t *testing.T) {
	p := sources("streets", testgraphs.CutGrid(rand.New(rand.NewPCG(3, 1)), 300, 1.5), nil)
	seeds := uint64(100)
	var above, below [40]float64 // by stage, summed over runs and vertices
	stages := 0
	for seed := range seeds {
		stage := 0
		run(t, p, p.options(0.1), seed, func(b *Bound, c Columns, s *Stage) {
			for v, truth := range p.truth {
				damp := newDamping(upperGrid, b.variance[v]/(b.Range*b.Range))
				up, _ := damp.mixture((truth*b.weight - b.sum[v] - b.offset[v]) / b.Range)
				above[stage] += up / float64(damp.rungs)
				if stage > 0 {
					c := b.scale(v)
					got, weight := b.sum[v]-b.first.sum[v]+b.offset[v], b.weight-b.first.weight
					damp := newDamping(lowerGrid, (b.variance[v]-b.first.variance[v])/(c*c))
					low, _ := damp.mixture((got - truth*weight) / c)
					below[stage] += low / float64(damp.rungs)
				}
			}
			stage++
		})
		stages = max(stages, stage)
	}
	for stage := range stages {
		runs := float64(seeds) * float64(len(p.truth))
		if above[stage]/runs > 1.02 || below[stage]/runs > 1.02 {
			t.Errorf("stage %d: the processes have means %v and %v", stage, above[stage]/runs, below[stage]/runs)
		}
		if stage > 0 && above[stage] == 0 {
			t.Error("no process was looked at")
		}
	}
}
