package pipeline

import (
	"context"
	"math"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/bound"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
)

// Over many seeds, intervals miss in no more than the agreed share of runs, for any vertex at any
// stage and any question. The normal interval with Bonferroni's correction, from the same draws, is
// caught.
func TestCoverageOfEveryQuestion(t *testing.T) {
	seeds := max(100/testgraphs.OneIn, 5)
	for _, a := range questions() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			plan := a.plan(t)
			block, ok := plan.Drawable(false)
			if !ok {
				t.Fatalf("nothing to draw")
			}
			for _, way := range a.ways {
				covers(t, "by "+way, seeds, func(seed uint64) ([]bound.Stage, bound.Options, []float64) {
					if way == "pairs" {
						return pairsOfPlan(t, plan, block, seed)
					}
					return sourcesOfPlan(t, plan, block, draws.Drawing{Seed: seed, Linear: way == "sources"})
				})
			}
		})
	}
}

// covers counts the seeds with which some interval misses, and those with which the control does.
func covers(t *testing.T, name string, seeds int, draw func(seed uint64) (stages []bound.Stage, limits bound.Options, truth []float64)) {
	t.Helper()
	const risk = 0.1
	missed, control := 0, 0
	for seed := range uint64(seeds) {
		stages, limits, truth := draw(seed)
		limits.Risk, limits.Threads = risk, 1
		miss, normal := misses(t, limits, stages, truth)
		if miss {
			missed++
		}
		if normal {
			control++
		}
	}
	t.Logf("%s: missed in %d of %d runs, the control in %d", name, missed, seeds, control)
	if float64(missed) > max(risk*float64(seeds), 1) {
		t.Errorf("%s: some interval missed in %d of %d runs", name, missed, seeds)
	}
	if control*2 < seeds {
		t.Errorf("%s: the control missed in %d of %d runs only: this test would not notice a dishonest bound", name, control, seeds)
	}
}

// misses reports whether any interval at any stage misses, and any interval of the control.
func misses(t *testing.T, limits bound.Options, stages []bound.Stage, truth []float64) (miss, normal bool) {
	t.Helper()
	known, err := bound.New(limits)
	if err != nil {
		t.Fatal(err)
	}
	z := math.Sqrt2 * math.Erfinv(1-limits.Risk/float64(len(truth)))
	sums, squares, draws := make([]float64, len(truth)), make([]float64, len(truth)), 0.0
	for _, stage := range stages {
		if err := known.Add(t.Context(), stage); err != nil {
			t.Fatal(err)
		}
		draws += float64(stage.Draws)
		ends, err := known.Intervals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for v, want := range truth {
			total += want
			slack := 1e-9*want + 1e-15
			miss = miss || want < ends.Lower[v]-slack || want > ends.Upper[v]+slack
			sums[v] += stage.Sum[v]
			squares[v] += stage.Squares[v]
			mean := sums[v] / draws
			normal = normal || math.Abs(mean-want) > z*math.Sqrt(max(squares[v]/draws-mean*mean, 0)/draws)+slack
		}
		miss = miss || total > known.Length()*(1+1e-9) // the risks are shared by this total
	}
	return miss, normal
}

// plan returns the reduced graph of the question.
func (a estimated) plan(t *testing.T) *preprocess.Plan {
	t.Helper()
	opts := a.opts
	a.from(t, &opts)
	opts.Lanes = 8
	opts, err := opts.complete()
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(opts)
	r.devices = nil
	plans := make(chan namedPlan, 1)
	group, ctx := errgroup.WithContext(t.Context())
	r.start(ctx, group, plans)
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return (<-plans).Plan
}

// sourcesOfPlan returns all stages of a block's sources, and the true scores.
func sourcesOfPlan(t *testing.T, plan *preprocess.Plan, block int, d draws.Drawing) (stages []bound.Stage, limits bound.Options, truth []float64) {
	t.Helper()
	drawn, err := plan.Draw(t.Context(), block, d, 1)
	if err != nil {
		t.Fatal(err)
	}
	books := ledger.New(drawn, ledger.Names{}, Float64, Shard{}, nil, nil, 1)
	worker, err := cpu.New(drawn, cpu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := drawn.Drawn.Stages[0].First
	err = worker.Run(t.Context(), func(context.Context, int) []engine.Batch {
		at++
		return drawn.Batches[min(at-1, len(drawn.Batches)):min(at, len(drawn.Batches))]
	}, func(result engine.Result) error {
		books.Enter("cpu", false, []engine.Batch{result.Batch}, result, ledger.Difference(result))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sums := newSourceSums(drawn.Drawn, books, 1)
	for range drawn.Drawn.Stages {
		stage := sums.take()
		truth = stage.Settled
		stage.Settled = slices.Clone(stage.Settled)
		stages = append(stages, stage)
	}
	return stages, sums.limits(), truth
}

// pairsOfPlan returns some stages of a block's pairs, and its scores in their units.
func pairsOfPlan(t *testing.T, plan *preprocess.Plan, block int, seed uint64) (stages []bound.Stage, limits bound.Options, truth []float64) {
	t.Helper()
	of, err := plan.Pair(t.Context(), block, 1)
	if err != nil {
		t.Fatal(err)
	}
	b := &of.Blocks[block]
	sampler := pairs.New(b, 2)
	for stage, size := range []int64{1000, 1000, 1000, 2000, 5000} {
		c, err := sampler.Draw(t.Context(), pairs.Draws{Seed: seed, Stage: uint64(stage), Count: size, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		sum := make([]float64, len(c.Inner))
		for v, count := range c.Inner {
			sum[v] = float64(count)
		}
		stages = append(stages, bound.Stage{Draws: size, Left: 1, Sum: sum, Squares: sum, Length: bound.Length{Sum: float64(c.Length), Squares: float64(c.Squares)}})
	}
	exact := engine.Result{Scores: make([]float64, b.Vertices()), Flows: make([]float64, of.Paired.Edges), Got: make([]float64, len(b.Sources)), Want: make([]float64, len(b.Sources))}
	if err := textbook.Result(t.Context(), b, b.Sources, &exact); err != nil {
		t.Fatal(err)
	}
	for v := range b.Multiplicity {
		exact.Scores[v] *= b.Multiplicity[v]
	}
	truth = slices.Concat(exact.Scores, exact.Flows)
	for i := range truth {
		truth[i] /= of.Paired.From * of.Paired.To
	}
	return stages, bound.Options{Vertices: of.Paired.Counted(), Range: 1, Longest: float64(of.Paired.Longest)}, truth
}

// If parts have different confidence, the result has the larger, in any order of the parts.
func TestPartsOfDifferentConfidence(t *testing.T) {
	a := questions()[0]
	for way, samples := range map[string]int{"sources-raw": 150, "pairs": 1500} {
		var parts []tables.Table
		for i, confidence := range []float64{0.9, 0.99} {
			part, _ := a.run(t, a.opts, func(o *Options) {
				o.Question.Sample = sampled(way, 3, samples).Sample
				o.Question.Sample.Confidence = confidence
				o.Shard = Shard{Mine: []int{i}, Of: 2}
			})
			parts = append(parts, part)
		}
		for range 2 {
			merged, err := tryMerge(parts, Output{})
			if err != nil {
				t.Fatal(err)
			}
			if got := metadataOf(merged, "confidence"); got != "0.99" {
				t.Errorf("%s: confidence %s, want 0.99", way, got)
			}
			slices.Reverse(parts)
		}
	}
}
