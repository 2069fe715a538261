package pipeline

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/engine"
	"bcstage/preprocess"
)

func TestVerify(t *testing.T) {
	for _, e := range bothQuestions(append(graphs(rand.New(rand.NewPCG(17, 1)), 30), deviceGraph())) {
		for _, precision := range []Precision{Float64, Float32} {
			_, _, stats := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU, Precision: precision, Verify: 5}})
			v := stats.Verification
			together := e.name == "streets" // its chains give one sum for a batch's sources
			if v == nil || v.Sources > 5 || v.InRun != v.Sources && !together || v.Extended != 0 {
				t.Fatalf("%s: %+v", e.name, v)
			}
			if v.Sources == 0 && stats.Batches > 0 {
				t.Errorf("%s: none of %d batches verified", e.name, stats.Batches)
			}
		}
	}
	// More than exist: all are drawn.
	_, _, stats := mustScores(t, deviceGraph(), Options{Compute: Compute{Engine: EngineCPU, Verify: 1 << 30}})
	if v := stats.Verification; v.Sources != stats.SelfCheck.Sources || v.LargestRelative > 1e-12 {
		t.Errorf("%+v of %d sources", v, stats.SelfCheck.Sources)
	}
}

// All sources are drawn equally often.
func TestVerifyDrawsEvenly(t *testing.T) {
	plan := &preprocess.Plan{}
	for i := range 10 {
		plan.Batches = append(plan.Batches, engine.Batch{Index: i, First: 3 * i, Count: 3})
	}
	times := map[drawnSource]int{}
	for i := range 2000 {
		plan.Fingerprint[0], plan.Fingerprint[1] = byte(i), byte(i>>8)
		count := 0
		for batch, offsets := range newVerifier(plan, []int{0, 2, 3, 9}, 5).drawn {
			for _, offset := range offsets {
				times[drawnSource{batch, offset}]++
				count++
			}
		}
		if count != 5 {
			t.Fatalf("%d drawn, want 5", count)
		}
	}
	for at, n := range times { // 833 expected, standard deviation 22
		if n < 700 || n > 970 {
			t.Errorf("%v drawn %d times of 2000", at, n)
		}
	}
	if len(times) != 12 {
		t.Errorf("%d places drawn, want 12", len(times))
	}
}

// An engine whose wrong sums pass the self-check fails verification.
func TestVerifyFindsWhatTheSelfCheckMisses(t *testing.T) {
	devices := &fakeSet{count: 1, hang: false, wrong: func(result engine.Result) {
		for i := range result.Got {
			result.Got[i] *= 2
			result.Want[i] *= 2
		}
	}}
	called := false
	_, err := Run(context.Background(), Options{
		Compute:      Compute{Engine: EngineGPU, Verify: 1 << 30},
		Input:        Input{Source: sourceOf(deviceGraph())},
		startDevices: devices.start,
	}, func(context.Context, tables.Table) error { called = true; return nil })
	if !errors.Is(err, ErrVerify) || called {
		t.Errorf("error %v, sink called: %v", err, called)
	}
}
