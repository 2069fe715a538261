package pipeline

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
	"bcstage/internal/gpu/opened"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

// fakeSearches are devices that search on a core, and fail on cue.
type fakeSearches struct {
	fakeSearch
	count    int
	failed   []error
	refusing bool
	set      func(*csr.Graph) ([]uint32, error)
	closed   atomic.Int64
}

// fakeSearch fails instead of sending the rows of source number failing, from 1; 0: never. A
// forgetful one omits the last source.
type fakeSearch struct {
	failing, lanes int
	forgetful      bool
	rows           atomic.Int64
	threads        atomic.Int64 // of the last search
}

func (f *fakeSearches) open(context.Context) (*opened.Set, error) {
	if f.count == 0 {
		return nil, errFake
	}
	s := &opened.Set{Failed: f.failed}
	for range f.count {
		s.Devices = append(s.Devices, &fakeSearchDevice{f})
	}
	return s, nil
}

type fakeSearchDevice struct{ *fakeSearches }

func (f *fakeSearchDevice) Name() string { return "fake" }
func (f *fakeSearchDevice) Close()       { f.closed.Add(1) }

func (f *fakeSearchDevice) Search(_ context.Context, g *csr.Graph, cutoff int64, _ []uint32, threads int, _ *searches.Spare) (opened.Searcher, DeviceChoice, error) {
	f.threads.Store(int64(threads))
	if f.refusing {
		return nil, DeviceChoice{}, errFake
	}
	return &fakeSearcher{&f.fakeSearch, searches.New(g, searches.Options{Cutoff: cutoff})}, DeviceChoice{Lanes: f.lanes}, nil
}

func (f *fakeSearchDevice) Independent(_ context.Context, g *csr.Graph) ([]uint32, error) {
	return f.set(g)
}

type fakeSearcher struct {
	*fakeSearch
	cores *searches.Search
}

func (f *fakeSearcher) Lanes() int { return f.lanes }

func (f *fakeSearcher) Run(ctx context.Context, sources []uint32, emit func(searches.Rows) error) error {
	if len(sources) > f.lanes {
		return errors.New("too many")
	}
	if f.forgetful {
		sources = sources[:len(sources)-1]
	}
	return f.cores.Run(ctx, sources, func(r searches.Rows) error {
		if f.rows.Add(1) == int64(f.failing) {
			return errFake
		}
		return emit(r)
	})
}

// randomDistances returns a question about a random graph that searchers of any kind answer.
func randomDistances(r *rand.Rand) Options {
	n := 50 + r.IntN(300)
	var all []int
	for v := range n {
		if r.IntN(2) == 0 {
			all = append(all, v)
		}
	}
	opts := Options{Input: Input{Source: edgesSource(testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(2*n)), nil)}, Sources: VertexSetOf(all...)}
	opts.Question.Directed = r.IntN(2) == 0
	if r.IntN(3) == 0 {
		opts.Question.Cutoff = "3"
	}
	opts.Threads = 1 + r.IntN(3)
	return opts
}

// Whatever devices do, and whenever they fail, rows are those of cores, and statistics say which
// engine searched.
func TestDistancesOnDevices(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 60 {
		opts := randomDistances(r)
		want, stats, err := distanceRows(t.Context(), t, opts, false)
		if err != nil || len(stats.Engines) != 1 || stats.Engines[0].Name != "cpu" || stats.DeviceChoices != nil {
			t.Fatalf("cores: %+v, %v", stats, err)
		}
		f := &fakeSearches{count: 1 + r.IntN(2)}
		f.lanes, f.failing = 1+r.IntN(40), r.IntN(3)*(1+r.IntN(20))
		opts.openSearches, opts.Engine = f.open, EngineGPU
		if i%3 == 0 {
			opts.Engine, opts.Device = EngineAuto, "0,1"
		}
		rows, stats, err := distanceRows(t.Context(), t, opts, false)
		if err != nil || !slices.Equal(rows, want) {
			t.Fatalf("%+v: %d rows, want %d, %v", f, len(rows), len(want), err)
		}
		share, failed := 0.0, 0
		for _, e := range stats.Engines {
			share += e.Share
			if e.Failed != "" {
				failed++
			}
		}
		reached := f.failing > 0 && f.rows.Load() >= int64(f.failing)
		if share < 0.999 || share > 1.001 || (failed == 1) != reached || failed > 1 || len(stats.DeviceChoices) != f.count || int(f.closed.Load()) != f.count {
			t.Errorf("%+v: %+v, %+v", f, stats.Engines, stats.DeviceChoices)
		}
		if opts.Engine == EngineGPU && failed == 0 && slices.ContainsFunc(stats.Engines, func(e EngineStat) bool { return e.Name == "cpu" }) {
			t.Errorf("cores had a part: %+v", stats.Engines)
		}
	}
}

// A device without memory for its rows is not used. If memory has room for one thread's rows, one
// thread makes them.
func TestDistancesOnDevicesInLittleMemory(t *testing.T) {
	opts := Options{Input: Input{Source: edgesSource(testgraphs.Path(0, 5000), nil)}, Sources: VertexSetOf(1, 2, 3)}
	opts.Threads = 16
	f := &fakeSearches{count: 1}
	f.lanes = 4
	opts.openSearches, opts.Engine = f.open, EngineGPU
	declined, threads := 0, []int{}
	for opts.Memory = 1 << 17; opts.Memory < 1<<22; opts.Memory += 1 << 17 {
		_, stats, err := distanceRows(t.Context(), t, opts, false)
		if errors.Is(err, ErrMemory) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(stats.DeviceChoices[0].Declined, "its rows need") {
			declined++
		} else {
			threads = append(threads, int(f.threads.Load()))
		}
	}
	if declined == 0 || threads[0] >= 16 || threads[len(threads)-1] != 16 || !slices.IsSorted(threads) {
		t.Errorf("declined %d times, then %v threads", declined, threads)
	}
}

// Searches do not run far ahead of the reader of the parts: memory is bounded for any number of
// sources.
func TestDistancesWait(t *testing.T) {
	const n, sources, threads = partRows + 9, 40, 2
	var all []int
	for v := range sources {
		all = append(all, v*100)
	}
	for _, lanes := range []int{1, 7, sources} {
		f := &fakeSearches{count: 1}
		f.lanes = lanes
		opts := Options{Input: Input{Source: edgesSource(testgraphs.Star(0, n-1), nil)}, Sources: VertexSetOf(all...)}
		opts.Engine, opts.Threads, opts.openSearches = EngineGPU, threads, f.open
		parts := make(chan tables.Table)
		done := make(chan error, 1)
		go func() {
			_, err := Distances(t.Context(), opts, false, parts)
			done <- err
		}()
		received := -1 // the first part has no rows
		for part := range parts {
			received++
			if rows := len(part.Pairs.Ends[0]); received > 0 && rows != n {
				t.Fatalf("%d rows in a part, of %d vertices", rows, n)
			}
			// One is being sent, one waits in its batch's channel, one is in hand; with batches of
			// one source, as many more as there are threads.
			if ahead := int(f.rows.Load()) - received; ahead > 3+threads {
				t.Errorf("%d lanes: rows of %d sources are made that nobody takes", lanes, ahead)
			}
		}
		if err := <-done; err != nil || received != sources {
			t.Errorf("%d lanes: %d of %d sources, %v", lanes, received, sources, err)
		}
	}
}

// Cores do what devices decline, and the statistics say so. Missing devices are an error if they
// were asked for.
func TestDistancesDeclined(t *testing.T) {
	square := []testgraphs.Edge{{10, 11}, {11, 12}, {12, 13}, {10, 13}}
	base := Options{Input: Input{Source: edgesSource(square, nil)}, Sources: VertexSetOf(10)}
	base.Engine = EngineGPU
	for _, test := range []struct {
		what     string
		f        *fakeSearches
		paths    bool
		declined string
	}{
		{"paths", &fakeSearches{count: 1}, true, "cores count paths"},
		{"refusing", &fakeSearches{count: 1, refusing: true}, false, errFake.Error()},
	} {
		opts := base
		opts.openSearches = test.f.open
		rows, stats, err := distanceRows(t.Context(), t, opts, test.paths)
		if err != nil || len(rows) != 4 || len(stats.DeviceChoices) != 1 || stats.DeviceChoices[0].Declined != test.declined || stats.Engines[0].Name != "cpu" || test.f.closed.Load() != 1 {
			t.Errorf("%s: %q, %+v, %v", test.what, rows, stats, err)
		}
	}
	f := &fakeSearches{}
	opts := base
	opts.openSearches = f.open
	if _, _, err := distanceRows(t.Context(), t, opts, false); !errors.Is(err, errFake) {
		t.Errorf("no device: %v", err)
	}
	f = &fakeSearches{count: 1}
	f.lanes, f.forgetful = 3, true
	opts.openSearches = f.open
	if rows, stats, err := distanceRows(t.Context(), t, opts, false); err != nil || len(rows) != 4 || !strings.Contains(stats.Engines[0].Failed, "rows of 0 of 1 sources") {
		t.Errorf("forgetful: %q, %+v, %v", rows, stats, err)
	}
	f = &fakeSearches{count: 1, failed: []error{errors.New("another is broken")}}
	f.lanes = 3
	opts.openSearches = f.open
	if _, stats, err := distanceRows(t.Context(), t, opts, false); err != nil || !strings.Contains(strings.Join(stats.Warnings, ""), "another is broken") {
		t.Errorf("one of two: %+v, %v", stats, err)
	}
	opts.Sources = VertexSetOf(99)
	if _, _, err := distanceRows(t.Context(), t, opts, false); err == nil || f.closed.Load() != 2 {
		t.Errorf("an id that no vertex has: %v, %d closed", err, f.closed.Load())
	}
	opts.Sources, opts.Engine, opts.Device, opts.openSearches = base.Sources, EngineCPU, "0", (&fakeSearches{}).open
	if rows, stats, err := distanceRows(t.Context(), t, opts, false); err != nil || len(rows) != 4 || stats.DeviceChoices != nil {
		t.Errorf("engine cpu: %q, %+v, %v", rows, stats, err)
	}
	opts.Engine, opts.Device = EngineGPU, "cpu"
	if _, _, err := distanceRows(t.Context(), t, opts, false); !errors.Is(err, ErrOptions) {
		t.Errorf("engine gpu, device cpu: %v", err)
	}
}

// A run ends if it is cancelled while a device searches.
func TestDistancesCancelledOnDevice(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	f := &fakeSearches{count: 2}
	f.lanes = 5
	opts := randomDistances(rand.New(rand.NewPCG(1, 5)))
	opts.Engine, opts.openSearches = EngineGPU, func(ctx context.Context) (*opened.Set, error) {
		cancel()
		return f.open(ctx)
	}
	if _, _, err := distanceRows(ctx, t, opts, false); !errors.Is(err, context.Canceled) || f.closed.Load() != 2 {
		t.Errorf("%v, %d closed", err, f.closed.Load())
	}
}

// A device's set is used if it is independent; otherwise, and if the device fails, the cores find
// it.
func TestIndependentSetOnDevice(t *testing.T) {
	e := listed("random", testgraphs.Random(rand.New(rand.NewPCG(3, 9)), 90, 60, 100))
	cores := asking(measures.IndependentSet)
	want := run1(t, e, cores).Columns[0].Values.(tables.Bools)
	greedy := func(g *csr.Graph) ([]uint32, error) { // another set
		set, near := make([]uint32, g.Vertices()), make([]bool, g.Vertices())
		for v := g.Vertices() - 1; v >= 0; v-- {
			if !near[v] {
				set[v] = 1
				for _, u := range g.Neighbours(uint32(v)) {
					near[u] = true
				}
			}
		}
		return set, nil
	}
	for what, test := range map[string]struct {
		set   func(*csr.Graph) ([]uint32, error)
		taken bool
	}{
		"right":   {greedy, true},
		"nobody":  {func(g *csr.Graph) ([]uint32, error) { return make([]uint32, g.Vertices()), nil }, false},
		"failing": {func(*csr.Graph) ([]uint32, error) { return nil, errFake }, false},
		"short":   {func(*csr.Graph) ([]uint32, error) { return []uint32{1}, nil }, false},
	} {
		f := &fakeSearches{count: 1, set: test.set}
		opts := cores
		opts.Engine, opts.Source, opts.openSearches = EngineGPU, sourceOf(e), f.open
		opts.startDevices = (&fakeSet{count: 1}).start
		var table tables.Table
		stats, err := Run(t.Context(), opts, into(&table))
		if err != nil || f.closed.Load() != 1 {
			t.Fatalf("%s: %v, %d closed", what, err, f.closed.Load())
		}
		got := table.Columns[0].Values.(tables.Bools)
		if slices.Equal(got, want) == test.taken || (len(stats.Warnings) == 0) != test.taken {
			t.Errorf("%s: warnings %q, notes %q, the cores' set %v", what, stats.Warnings, stats.Notes, slices.Equal(got, want))
		}
	}
	for _, change := range []func(*Options){func(o *Options) { o.Engine = EngineCPU }, func(*Options) {}} {
		opts := cores
		opts.Source, opts.openSearches = sourceOf(e), func(context.Context) (*opened.Set, error) { panic("nobody asked for devices") }
		change(&opts)
		var table tables.Table
		if _, err := Run(t.Context(), opts, into(&table)); err != nil {
			t.Error(err)
		}
	}
}
