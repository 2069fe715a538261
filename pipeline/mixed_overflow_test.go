package pipeline

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
)

// sparseLayers is layers with three quarters of their edges: far fewer twins, and about (3/4
// width)^(depth-1) shortest paths from end to end.
func sparseLayers(width, depth int, seed uint64) *edgeList {
	random := rand.New(rand.NewPCG(seed, 1))
	e := &edgeList{name: fmt.Sprintf("sparse layers %d x %d, seed %d", width, depth, seed)}
	for v := range width * (depth - 1) {
		for j := range width {
			if random.IntN(4) > 0 {
				e.join(v, (v/width+1)*width+j)
			}
		}
	}
	return e
}

// If some batches of a block exceed the range and others do not, scores have the same bits for any
// number of threads, in repeated runs, in shards, when resumed, and with a failing device.
// Regression: a batch within the range was computed in the extended range or not depending on the
// number of others that were finished before.
func TestMixedOverflowGivesEqualBits(t *testing.T) {
	type mixed struct {
		e         *edgeList
		precision Precision
		lanes     int
	}
	var cases []mixed
	seeds := 3
	if testing.Short() {
		seeds = 1
	}
	for seed := range uint64(seeds) { // the range of float32 ends at 60 layers
		for _, depth := range []int{68, 80, 110} {
			cases = append(cases, mixed{sparseLayers(6, depth, seed), Float32, 2})
		}
	}
	if testgraphs.OneIn == 1 { // takes a minute, nearly all of it in unbounded path counts
		for _, depth := range []int{536, 544, 700} {
			cases = append(cases, mixed{sparseLayers(6, depth, 1), Float64, 0})
		}
	}
	for _, c := range cases {
		opts := Options{Compute: Compute{Precision: c.precision, Lanes: c.lanes, Threads: 1}}
		want := run1(t, c.e, opts)
		same := func(what string, got tables.Table) {
			t.Helper()
			if !slices.Equal(scoresIn(got), scoresIn(want)) {
				t.Errorf("%s, %s: %s: other scores", c.e.name, c.precision, what)
			}
		}
		for _, threads := range []int{2, 4, 4, 4} {
			opts.Threads = threads
			same(fmt.Sprint(threads, " threads"), run1(t, c.e, opts))
		}
		var parts []tables.Table
		for i := range 4 {
			o := opts
			o.Shard = Shard{Mine: []int{i}, Of: 4}
			parts = append(parts, run1(t, c.e, o))
			o = opts
			o.Resume = &parts[i]
			same(fmt.Sprintf("resumed from shard %d", i), run1(t, c.e, o))
		}
		merged, err := tryMerge(parts, Output{})
		if err != nil {
			t.Fatal(err)
		}
		same("4 shards", merged)
		for _, failTake := range []int64{0, 3} {
			f := &fakeSet{count: 1, failTake: failTake, precision: c.precision}
			o := withFake(f, EngineGPU)
			o.Precision, o.Lanes = c.precision, c.lanes
			_, scores, _ := mustScores(t, c.e, o)
			if !slices.Equal(scores, scoresIn(want)) {
				t.Errorf("%s, %s: with a device: other scores", c.e.name, c.precision)
			}
		}
	}
}

// The means that rescue skips are certain to fail: with and without the shortcuts, the sums have
// the same bits.
func TestShortcutsLeaveNoTrace(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	var mixed, skipped int
	for range 12 {
		e := sparseLayers(3+random.IntN(5), 60+random.IntN(120), random.Uint64())
		plan, _ := planOf(t, e, 1+random.IntN(4))
		var sums [2][]tables.Column
		for i, patience := range []int{1, 1 << 30} {
			c := newComputation(plan, Float32, nil)
			c.ledger.Patience = patience
			p := computed(t, c)
			sums[i] = p.Table("").Columns
			if p.Check.Recomputed > 0 && p.Check.Recomputed < len(plan.Batches) {
				mixed++
			}
			skipped += len(plan.Batches) - c.sharing.Figures().Engines[0].Batches
		}
		if !reflect.DeepEqual(sums[0], sums[1]) {
			t.Errorf("%s: other sums", e.name)
		}
	}
	if mixed == 0 || skipped == 0 {
		t.Errorf("%d graphs with mixed overflow, %d batches not tried: this test tests nothing", mixed, skipped)
	}
}

// If beyond says that lanes must fail, they do.
func TestBeyondIsCertain(t *testing.T) {
	plan, _ := planOf(t, sparseLayers(6, 90, 9), 1)
	c := newComputation(plan, Float32, nil)
	certain, failed := 0, 0
	worker := newWorker(t, plan, Float32)
	for _, batch := range plan.Batches {
		beyond, err := c.beyond(context.Background(), batch, Float32)
		if err != nil {
			t.Fatal(err)
		}
		taken := []engine.Batch{batch}
		err = worker.Run(context.Background(), func(context.Context, int) []engine.Batch {
			next := taken
			taken = nil
			return next
		}, func(result engine.Result) error {
			fails := !(ledger.Difference(result) <= Float32.Tolerance())
			if beyond {
				certain++
			}
			if fails {
				failed++
			}
			if beyond && !fails {
				t.Errorf("batch %d passes the self-check, though it was certain to fail", batch.Index)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if certain == 0 || certain == len(plan.Batches) || failed < certain {
		t.Errorf("%d certain, %d failed of %d: this test tests nothing", certain, failed, len(plan.Batches))
	}
}

func newWorker(t *testing.T, plan *preprocess.Plan, precision Precision) *cpu.Worker {
	t.Helper()
	worker, err := cpu.New(plan, cpu.Options{Precision: precision})
	if err != nil {
		t.Fatal(err)
	}
	return worker
}
