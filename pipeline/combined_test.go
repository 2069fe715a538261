package pipeline

import (
	"context"
	"slices"
	"testing"

	"bcstage/gpu"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// combining is a device that adds up the batches of a take to one result.
type combining struct{ fakeSet }

func (f *combining) start(context.Context) (gpu.Set, error) { return f, nil }

func (f *combining) Engines(_ context.Context, plan *preprocess.Plan, _ gpu.Surveys) ([]engine.Device, error) {
	return []engine.Device{&combiningEngine{&fakeEngine{&f.fakeSet, nil, plan}}}, nil
}

type combiningEngine struct{ *fakeEngine }

func (f *combiningEngine) Run(ctx context.Context, take engine.Take, done engine.Done) error {
	for {
		taken := take(ctx, 5)
		if len(taken) == 0 {
			return nil
		}
		for len(taken) > 0 {
			run := 1 // copies at the end need not be consecutive
			for run < len(taken) && taken[run].Index == taken[run-1].Index+1 {
				run++
			}
			if err := f.addUp(ctx, taken[:run], done); err != nil {
				return err
			}
			taken = taken[run:]
		}
	}
}

func (f *combiningEngine) addUp(ctx context.Context, batches []engine.Batch, done engine.Done) error {
	block := &f.plan.Blocks[batches[0].Block]
	result := engine.Result{Batch: batches[0], More: len(batches) - 1, Scores: make([]float64, block.Vertices())}
	for _, batch := range batches {
		got, want := make([]float64, batch.Count), make([]float64, batch.Count)
		sources := block.Sources[batch.First : batch.First+batch.Count]
		if err := textbook.Scores(ctx, block, sources, result.Scores, got, want); err != nil {
			return err
		}
		result.Got = slices.Concat(result.Got, got)
		result.Want = slices.Concat(result.Want, want)
	}
	return done(result)
}

// A result for several batches counts each of them once, whichever of them the cores have finished
// meanwhile.
func TestCombinedResults(t *testing.T) {
	e := deviceGraph()
	for _, engine := range []Engine{EngineAuto, EngineGPU} {
		for range 20 {
			f := &combining{fakeSet{count: 1}}
			opts := Options{Compute: Compute{Engine: engine, Device: "0", Lanes: 2, Threads: 2}, startDevices: f.start}
			vertices, scores, stats := mustScores(t, e, opts)
			compare(t, e, vertices, scores, 1e-12)
			total := 0
			for _, engine := range stats.Engines {
				total += engine.Batches
			}
			if total != stats.Batches || stats.SelfCheck.Recomputed != 0 {
				t.Errorf("%s: %d of %d batches counted, %d recomputed", engine, total, stats.Batches, stats.SelfCheck.Recomputed)
			}
		}
	}
}
