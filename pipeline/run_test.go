package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
)

func TestScoresAgainstTextbook(t *testing.T) {
	for _, e := range bothQuestions(graphs(rand.New(rand.NewPCG(1, 1)), 150)) {
		vertices, scores, stats := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU}})
		compare(t, e, vertices, scores, 1e-12)
		if got := int64(len(e.src)); stats.EdgesRead != got || stats.Edges+stats.Duplicates+stats.SelfLoops != got {
			t.Errorf("%s: counts %+v do not sum to %d edges", e.name, stats, got)
		}
	}
}

// Threads and instruction sets change no bit; lanes, walks, precision and vertex order change rounding only.
func TestMetamorphicMatrix(t *testing.T) {
	random, forced := rand.New(rand.NewPCG(2, 2)), make(map[string]int)
	for _, e := range bothQuestions(graphs(random, 12)) {
		_, first, _ := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU, Threads: 1}})
		for _, threads := range []int{2, 5} {
			_, scores, _ := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU, Threads: threads}})
			if !slices.Equal(scores, first) {
				t.Errorf("%s: %d threads change the scores", e.name, threads)
			}
		}
		for _, lanes := range []int{1, 3, 16, 64} {
			vertices, scores, _ := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU, Lanes: lanes}})
			compare(t, e, vertices, scores, 1e-12)
		}
		for _, walk := range cpu.Walks() {
			var first []float64
			for _, set := range cpu.Sets() {
				opts := Options{Compute: Compute{Engine: EngineCPU, Walk: walk, Set: set}}
				opts.Question.Directed = e.directed
				vertices, scores, _, err := Scores(t.Context(), e.src, e.dst, opts)
				if errors.Is(err, engine.ErrWalk) && errors.Is(err, ErrOptions) && strings.Contains(err.Error(), walk) {
					continue // it suits no block
				}
				if err != nil {
					t.Fatalf("%s, walk %s, set %s: %v", e.name, walk, set, err)
				}
				forced[walk]++
				compare(t, e, vertices, scores, 1e-12)
				if first == nil {
					first = scores
				}
				if !slices.Equal(scores, first) {
					t.Errorf("%s, walk %s: set %s changes the scores", e.name, walk, set)
				}
			}
		}
		vertices, scores, _ := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU, Precision: Float32}})
		compare(t, e, vertices, scores, 1e-5)

		shuffled := &edgeList{name: e.name + " shuffled", directed: e.directed}
		for _, i := range random.Perm(len(e.src)) {
			if e.directed || random.IntN(2) == 0 {
				shuffled.join(int(e.src[i]), int(e.dst[i]))
			} else {
				shuffled.join(int(e.dst[i]), int(e.src[i]))
			}
		}
		vertices, scores, _ = mustScores(t, shuffled, Options{Compute: Compute{Engine: EngineCPU}})
		compare(t, e, vertices, scores, 1e-12)
	}
	for _, walk := range []string{"rows", "lines", "entries", "meshes", "chains"} {
		if forced[walk] == 0 {
			t.Errorf("walk %s suited no graph", walk)
		}
	}
}

// A graph and its reverse have equal scores, since every path exists in reverse. With all edges in both
// directions, scores are twice those of the undirected graph.
func TestDirections(t *testing.T) {
	for _, e := range graphs(rand.New(rand.NewPCG(2, 3)), 60) {
		opts := Options{Compute: Compute{Engine: EngineCPU}}
		vertices, undirected, _ := mustScores(t, e, opts)
		score := map[int64]float64{}
		for i, v := range vertices {
			score[v] = 2 * undirected[i]
		}
		both := &edgeList{e.name + " both ways", slices.Concat(e.src, e.dst), slices.Concat(e.dst, e.src), true}
		vertices, scores, _ := mustScores(t, both, opts)
		near(t, both.name, vertices, scores, score)

		there := &edgeList{e.name + " there", e.src, e.dst, true}
		vertices, scores, _ = mustScores(t, there, opts)
		for i, v := range vertices {
			score[v] = scores[i]
		}
		back := &edgeList{e.name + " back", e.dst, e.src, true}
		vertices, scores, _ = mustScores(t, back, opts)
		near(t, back.name, vertices, scores, score)
	}
}

// near compares scores to 1e-12.
func near(t *testing.T, name string, vertices []int64, scores []float64, want map[int64]float64) {
	t.Helper()
	for i, v := range vertices {
		if !(math.Abs(scores[i]-want[v]) <= 1e-12*max(1, want[v])) {
			t.Errorf("%s: vertex %d: %v, want %v", name, v, scores[i], want[v])
		}
	}
}

func TestRowOrder(t *testing.T) {
	e := &edgeList{}
	e.join(30, 10)
	e.join(10, 20)
	e.join(20, 40)
	vertices, _, _ := mustScores(t, e, Options{})
	if want := []int64{30, 10, 20, 40}; !slices.Equal(vertices, want) {
		t.Errorf("first-seen order %v, want %v", vertices, want)
	}
	vertices, scores, _ := mustScores(t, e, Options{Output: Output{Sort: ByScore}})
	if want := []int64{10, 20, 30, 40}; !slices.Equal(vertices, want) {
		t.Errorf("score order %v, want %v", vertices, want)
	}
	if want := []float64{2, 2, 0, 0}; !slices.Equal(scores, want) {
		t.Errorf("scores %v, want %v", scores, want)
	}
}

func TestNoEdges(t *testing.T) {
	vertices, scores, stats, err := Scores[int32](context.Background(), nil, nil, Options{})
	if err != nil || len(vertices) != 0 || len(scores) != 0 || stats.Vertices != 0 {
		t.Errorf("%v %v %+v %v, want nothing", vertices, scores, stats, err)
	}
}

func TestStringScores(t *testing.T) {
	vertices, scores, _, err := StringScores(context.Background(), []string{"a", "b", ""}, []string{"b", "", "c"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b", "", "c"}; !slices.Equal(vertices, want) {
		t.Errorf("vertices %q, want %q", vertices, want)
	}
	if want := []float64{0, 2, 2, 0}; !slices.Equal(scores, want) {
		t.Errorf("scores %v, want %v", scores, want)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	sink := into(new(tables.Table))
	for name, opts := range map[string]Options{
		"engine":    {Compute: Compute{Engine: "tpu"}},
		"precision": {Compute: Compute{Precision: "float16"}},
		"sort":      {Output: Output{Sort: "random"}},
		"strategy":  {Compute: Compute{Strategy: "luck"}},
		"threads":   {Compute: Compute{Threads: -1}},
		"lanes":     {Compute: Compute{Lanes: 65}},
		"mdeg":      {Compute: Compute{Mdeg: -1}},
		"memory":    {Compute: Compute{Memory: -1}},
		"verify":    {Compute: Compute{Verify: -1}},
		"interval":  {Reports: Reports{ProgressInterval: -1}},
		"device":    {Compute: Compute{Engine: EngineGPU, Device: "cpu"}},
		"shard":     {Parts: Parts{Shard: Shard{Mine: []int{2}, Of: 2}}},
		"save":      {Parts: Parts{SaveInterval: -1}},
	} {
		if err := opts.Check(); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: Check: %v, want ErrOptions", name, err)
		}
		if _, err := Run(context.Background(), opts, sink); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: Run: %v, want ErrOptions", name, err)
		}
	}
	if err := (Options{}).Check(); err != nil {
		t.Errorf("the zero options: %v", err)
	}
	if _, err := Run(context.Background(), Options{}, nil); !errors.Is(err, ErrOptions) {
		t.Errorf("no sink: %v, want ErrOptions", err)
	}
	if _, err := Run(context.Background(), Options{}, sink); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), "Input.Read") {
		t.Errorf("no edges: %v, want ErrOptions", err)
	}
	gpus := Options{Compute: Compute{Engine: EngineGPU}}
	if _, _, _, err := Scores(context.Background(), []int{1, 2}, []int{2, 3}, gpus); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), "Compute.Devices") {
		t.Errorf("no devices: %v, want ErrOptions", err)
	}
	if _, _, _, err := Scores(context.Background(), []int{1}, nil, Options{}); !errors.Is(err, ErrOptions) {
		t.Errorf("unequal columns: error %v, want ErrOptions", err)
	}
	for _, opts := range []Options{{Parts: Parts{Shard: Shard{Mine: []int{0}, Of: 2}}}, {Output: Output{Partial: true}}} {
		if _, _, _, err := Scores(context.Background(), []int{1}, []int{2}, opts); !errors.Is(err, ErrOptions) {
			t.Errorf("scores of a partial result: error %v, want ErrOptions", err)
		}
	}
}

func TestErrorsPassThrough(t *testing.T) {
	broken := errors.New("broken")
	for _, after := range []int{0, 1, 50} {
		called := false
		_, err := Run(context.Background(), Options{
			Input: Input{Source: func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
				defer close(edges)
				for i := range after {
					keys := tables.Keys{Ints: []uint64{uint64(i)}}
					select {
					case edges <- tables.Batch{Src: keys, Dst: keys}:
					case <-ctx.Done():
						return tables.Summary{}, context.Cause(ctx)
					}
				}
				return tables.Summary{}, broken
			}},
		}, func(context.Context, tables.Table) error { called = true; return nil })
		if !errors.Is(err, broken) || called {
			t.Errorf("source fails after %d batches: error %v, sink called: %v", after, err, called)
		}
	}
	_, err := Run(context.Background(), Options{Input: Input{Source: sourceOf(ring(10))}},
		func(context.Context, tables.Table) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("sink fails: error %v", err)
	}
}

// A context that ends at any moment ends the run. The graph would take two cores most of a minute: it is
// deep, so every search is long, and its path counts exceed the range, so every search is done twice.
func TestCancel(t *testing.T) {
	e := layers(3, 40_000)
	for _, wait := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 300 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		_, err := Run(ctx, Options{
			Compute: Compute{Engine: EngineCPU, Threads: 2},
			Input:   Input{Source: sourceOf(e)},
		}, into(new(tables.Table)))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cancelled after %v: error %v", wait, err)
		}
		cancel()
	}
}

// A context that ends with a stage ends the run. After the scores are delivered it is too late: the run has
// succeeded.
func TestCancelBetweenStages(t *testing.T) {
	e := deviceGraph()
	for _, stage := range []string{"read", "build", "reduce", "compute", "write"} {
		ctx, cancel := context.WithCancel(context.Background())
		called := false
		_, err := Run(ctx, Options{
			Compute: Compute{Engine: EngineCPU},
			Input:   Input{Source: sourceOf(e)},
			Reports: Reports{ProgressInterval: time.Hour, Progress: func(p Progress) {
				if p.Stage == stage {
					cancel()
				}
			}},
		}, func(ctx context.Context, _ tables.Table) error { called = true; return ctx.Err() })
		last := stage == "compute" // the sink's own check of the context counts
		if delivered := stage == "write"; delivered != (err == nil) || delivered != called && !last || !delivered && !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at the end of %s: error %v, sink called: %v", stage, err, called)
		}
		cancel()
	}
}

func TestProgressEnds(t *testing.T) {
	var last Progress
	var ended []string
	e := ring(3000)
	e.join(0, 1500) // a chord, so that something is left to traverse
	_, stats, err := func() ([]float64, *Stats, error) {
		_, scores, stats, err := Scores(context.Background(), e.src, e.dst, Options{
			Compute: Compute{Engine: EngineCPU},
			Reports: Reports{ProgressInterval: time.Millisecond, Progress: func(p Progress) {
				last = p
				if p.Ended {
					ended = append(ended, p.Stage)
				}
			}},
		})
		return scores, stats, err
	}()
	if err != nil {
		t.Fatal(err)
	}
	if last.Done != last.Total || last.Total != stats.Batches || last.Share < 0.999 || last.Edges != int64(len(e.src)) {
		t.Errorf("last report %+v of %d batches, %d edges", last, stats.Batches, len(e.src))
	}
	if want := []string{"read", "build", "reduce", "compute", "write"}; !slices.Equal(ended, want) {
		t.Errorf("ends reported of %v, want %v", ended, want)
	}
}

func TestInspect(t *testing.T) {
	e := ring(2000)
	e.join(0, 1000)
	info, err := Inspect(context.Background(), Options{Input: Input{Source: sourceOf(e)}, Compute: Compute{Engine: EngineCPU}})
	if err != nil {
		t.Fatal(err)
	}
	if info.Vertices != 2000 || info.Edges != 2001 || info.LargestBlock != 2000 || info.EstimatedWork <= 0 ||
		info.EstimatedSeconds <= 0 || info.GraphBytes <= 0 || info.EngineBytes <= 0 {
		t.Errorf("info %+v", info)
	}
}

func ring(n int) *edgeList {
	return listed(fmt.Sprint("ring ", n), testgraphs.Ring(0, uint32(n)))
}

func sourceOf(e *edgeList) Source {
	return func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		for first := 0; first < len(e.src); first += 1000 {
			var batch tables.Batch
			for i := first; i < min(first+1000, len(e.src)); i++ {
				batch.Src.Ints = append(batch.Src.Ints, uint64(e.src[i]))
				batch.Dst.Ints = append(batch.Dst.Ints, uint64(e.dst[i]))
			}
			select {
			case edges <- batch:
			case <-ctx.Done():
				return tables.Summary{}, context.Cause(ctx)
			}
		}
		return tables.Summary{Rows: int64(len(e.src))}, nil
	}
}
