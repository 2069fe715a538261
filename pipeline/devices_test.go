package pipeline

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/gpu"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// fakeSet is a set of devices that compute with CPU workers and fail on cue.
type fakeSet struct {
	count     int
	failTake  int64 // fail before this many results, 0: never
	loadFails bool
	wrong     func(engine.Result) // spoils results
	smallest  int                 // declines smaller blocks
	delay     time.Duration       // of start-up
	hang      bool                // never returns before its context ends
	precision Precision
	released  chan struct{} // closed with the set, if it is not nil
	started   atomic.Int64
	closed    atomic.Int64
	results   atomic.Int64
}

var errFake = errors.New("device lost")

func (f *fakeSet) start(ctx context.Context) (gpu.Set, error) {
	f.started.Add(1)
	time.Sleep(f.delay)
	if f.count == 0 {
		return nil, errFake
	}
	return f, nil
}

func (f *fakeSet) Engines(ctx context.Context, plan *preprocess.Plan, _ gpu.Surveys) ([]engine.Device, error) {
	if f.loadFails {
		return nil, errFake
	}
	list := make([]engine.Device, f.count)
	for i := range list {
		worker, err := cpu.New(plan, cpu.Options{Precision: f.precision})
		if err != nil {
			return nil, err
		}
		list[i] = &fakeEngine{f, worker, plan}
	}
	return list, nil
}

func (f *fakeSet) Close() error {
	if f.closed.Add(1); f.released != nil {
		close(f.released)
	}
	return nil
}

type fakeEngine struct {
	*fakeSet
	worker *cpu.Worker
	plan   *preprocess.Plan
}

func (f *fakeEngine) Name() string { return "fake" }

func (f *fakeEngine) Choices() []DeviceChoice { return nil }

func (f *fakeEngine) Release() {}

func (f *fakeEngine) Accepts(block int) bool { return f.plan.Blocks[block].Vertices() >= f.smallest }

func (f *fakeEngine) Run(ctx context.Context, take engine.Take, done engine.Done) error {
	return f.worker.Run(ctx, func(ctx context.Context, _ int) []engine.Batch {
		taken := take(ctx, 3)
		if f.hang && len(taken) > 0 {
			<-ctx.Done()
		}
		return taken
	}, func(result engine.Result) error {
		if count := f.results.Add(1); f.failTake > 0 && count >= f.failTake {
			return errFake
		}
		if f.wrong != nil {
			f.wrong(result)
		}
		return done(result)
	})
}

// deviceGraph has several blocks of different sizes and some hundred batches at two lanes.
func deviceGraph() *edgeList {
	random := rand.New(rand.NewPCG(5, 5))
	e := &edgeList{name: "several blocks"}
	first := 0
	for _, n := range []int{60, 40, 12, 8} {
		for range 3 * n {
			e.join(first+random.IntN(n), first+random.IntN(n))
		}
		first += n - 1
	}
	return e
}

func withFake(f *fakeSet, engine Engine) Options {
	return Options{Compute: Compute{Engine: engine, Lanes: 2, Threads: 2}, startDevices: f.start}
}

// Without the device that it demands, a run ends before its input does.
func TestNoDeviceEndsReading(t *testing.T) {
	opts := withFake(&fakeSet{}, EngineGPU)
	opts.Source = func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		<-ctx.Done()
		return tables.Summary{}, context.Cause(ctx)
	}
	if _, err := Run(t.Context(), opts, func(context.Context, tables.Table) error { return nil }); !errors.Is(err, errFake) {
		t.Errorf("%v, want the device's error", err)
	}
}

// Devices are released while scores are written: this sink waits for that.
func TestDevicesAreReleasedWhileWriting(t *testing.T) {
	f := &fakeSet{count: 2, released: make(chan struct{})}
	opts := withFake(f, EngineGPU)
	opts.Source = sourceOf(deviceGraph())
	_, err := Run(t.Context(), opts, func(ctx context.Context, _ tables.Table) error {
		select {
		case <-f.released:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	if err != nil || f.closed.Load() != 1 {
		t.Errorf("%v, closed %d times", err, f.closed.Load())
	}
}

// The device fails at its k-th result, for every k, and the scores are exact.
func TestDeviceFailsAtEveryResult(t *testing.T) {
	e := deviceGraph()
	for _, engine := range []Engine{EngineAuto, EngineGPU} {
		for k := int64(1); k < 70; k++ {
			f := &fakeSet{count: 1 + int(k%2), failTake: k}
			opts := withFake(f, engine)
			opts.Device = "0" // wanted at once, however small the graph
			vertices, scores, stats := mustScores(t, e, opts)
			compare(t, e, vertices, scores, 1e-12)
			if engine == EngineGPU && k < 20 && len(stats.Warnings) == 0 {
				t.Errorf("failure at result %d left no note", k)
			}
			if f.closed.Load() != 1 {
				t.Errorf("set closed %d times", f.closed.Load())
			}
			total := 0
			for _, engine := range stats.Engines {
				total += engine.Batches
			}
			if total != stats.Batches {
				t.Errorf("failure at result %d: %d of %d batches counted", k, total, stats.Batches)
			}
		}
	}
}

func TestDeviceCannotLoad(t *testing.T) {
	e := deviceGraph()
	vertices, scores, stats := mustScores(t, e, withFake(&fakeSet{count: 1, loadFails: true}, EngineGPU))
	compare(t, e, vertices, scores, 1e-12)
	if len(stats.Warnings) != 1 {
		t.Errorf("warnings %q", stats.Warnings)
	}
}

func TestDeviceAbsent(t *testing.T) {
	e := deviceGraph()
	for name, opts := range map[string]Options{
		"engine gpu":           withFake(&fakeSet{}, EngineGPU),
		"device 3":             withFake(&fakeSet{}, EngineAuto),
		"device 3, known late": withFake(&fakeSet{delay: 50 * time.Millisecond}, EngineAuto), // the cores finish before
	} {
		if opts.Engine == EngineAuto {
			opts.Device = "3"
		}
		called := false
		opts.Source = sourceOf(e)
		sink := func(context.Context, tables.Table) error { called = true; return nil }
		if _, err := Run(t.Context(), opts, sink); !errors.Is(err, errFake) || called {
			t.Errorf("%s absent: error %v, sink called: %v", name, err, called)
		}
	}
	vertices, scores, _ := mustScores(t, e, withFake(&fakeSet{}, EngineAuto))
	compare(t, e, vertices, scores, 1e-12)
}

// A small input does not start a device.
func TestSmallInputsDoNotStartDevices(t *testing.T) {
	f := &fakeSet{count: 1}
	e := deviceGraph()
	mustScores(t, e, withFake(f, EngineAuto))
	if f.started.Load() != 0 {
		t.Error("device started for a small graph")
	}
}

func TestSmallBlocksGoToTheCores(t *testing.T) {
	e := deviceGraph()
	opts := withFake(&fakeSet{count: 1, smallest: 30}, EngineGPU)
	vertices, scores, stats := mustScores(t, e, opts)
	compare(t, e, vertices, scores, 1e-12)
	if len(stats.Engines) != 2 || stats.Engines[0].Batches == 0 || stats.Engines[1].Batches == 0 {
		t.Errorf("shares %+v, want both", stats.Engines)
	}
}

// The self-check finds wrong numbers from a device, and they are computed again.
func TestWrongResultsAreRecomputed(t *testing.T) {
	e := deviceGraph()
	for name, wrong := range map[string]func(engine.Result){
		"one dependency sum": func(r engine.Result) { r.Got[0] *= 1 + 1e-6 },
		"negative score":     func(r engine.Result) { r.Scores[0] = -1 },
		"NaN score":          func(r engine.Result) { r.Scores[len(r.Scores)-1] = nan() },
		"infinite sum": func(r engine.Result) {
			r.Got[r.Batch.Count-1] = 1 / (1 - float64(r.Batch.Count)/float64(r.Batch.Count))
		},
	} {
		opts := withFake(&fakeSet{count: 1, wrong: wrong}, EngineGPU)
		vertices, scores, stats := mustScores(t, e, opts)
		compare(t, e, vertices, scores, 1e-12)
		if tried := stats.Engines[0].Batches; tried == 0 || stats.SelfCheck.Recomputed != tried {
			t.Errorf("%s: %d of %d batches recomputed", name, stats.SelfCheck.Recomputed, tried)
		}
	}
}

// A device that hangs until its context ends does not block a cancelled run. Here the cores cannot finish
// its batches.
func TestHungDeviceIsCancelled(t *testing.T) {
	e := deviceGraph()
	opts := withFake(&fakeSet{count: 1, hang: true}, EngineGPU)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, _, _, err := Scores(ctx, e.src, e.dst, opts); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// Devices are started if they can search the blocks, and opened for the question's searches.
func TestDevicesAreWorthTheirBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*preprocess.Block)
		want   bool
	}{
		"plain":     {func(*preprocess.Block) {}, true},
		"distances": {func(b *preprocess.Block) { b.Distances = true }, true},
		"chains":    {func(b *preprocess.Block) { b.Chains = &csr.Chains{} }, true},
		"edges":     {func(b *preprocess.Block) { b.Flows = &preprocess.Flows{} }, true},
		"lengths":   {func(b *preprocess.Block) { b.Lengths = make([]int64, 1) }, true},
		"lengths of chains": {func(b *preprocess.Block) {
			b.Lengths, b.Chains = make([]int64, 1), &csr.Chains{}
		}, false},
	} {
		b := preprocess.Block{}
		b.Offsets, b.Targets = make([]int64, 3), make([]uint32, 2)
		c.change(&b)
		if got := forDevices(&b); got != c.want {
			t.Errorf("%s: for devices: %v", name, got)
		}
	}
	for _, c := range []struct {
		measures []string
		want     []measures.Search
	}{
		{nil, []measures.Search{measures.Paths}},
		{[]string{measures.Closeness}, []measures.Search{measures.Distances}},
		{[]string{measures.Harmonic, measures.Betweenness}, []measures.Search{measures.Paths, measures.Distances}},
		{[]string{measures.Degree}, nil},
	} {
		if got := searchesFor(question.Question{Measures: c.measures}); !slices.Equal(got, c.want) {
			t.Errorf("%v: searches for %v, want %v", c.measures, got, c.want)
		}
	}
	if got := searchesFor(question.Question{Edges: true}); !slices.Equal(got, []measures.Search{measures.Paths, measures.Flows}) {
		t.Errorf("edges: searches for %v", got)
	}
}

// Cores that need long for the rest start a device while they compute; if little is left, they do not.
func TestDeviceStartsWhileCoresCompute(t *testing.T) {
	plan := testblocks.Reduced(t, testgraphs.Grid(20, 20), preprocess.Options{Lanes: 2})
	todo := make([]int, len(plan.Batches))
	for i := range todo {
		todo[i] = i
	}
	for name, of := range map[string]struct {
		batch time.Duration // time of each
		want  bool
	}{
		"long":  {worthLeft, true},
		"short": {worthLeft / time.Duration(4*len(todo)), false},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			c := &computation{plan: plan, opts: Options{Compute: Compute{Threads: 1}}, sharing: sharing.New(plan, todo)}
			c.sharing.Begin(false, stop)
			cores := c.sharing.Add(&sharing.Client{Name: "cpu", Workers: 1})
			var group sync.WaitGroup
			group.Go(func() {
				for taken := cores.Take(ctx, 1); len(taken) > 0; taken = cores.Take(ctx, 1) {
					time.Sleep(of.batch)
					cores.Finish(taken, engine.Work{})
				}
			})
			devices := newDeviceStart(Options{Compute: Compute{Device: "all"}}, nil)
			if got := c.watch(ctx, devices, c.forDevices()); got != of.want || devices.isWanted() != of.want {
				t.Errorf("%s batches: a device is started: %v", name, got)
			}
			stop()
			group.Wait()
		})
	}
}
