package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/gpu"
	"bcstage/internal/gpu/searchbench"
	"bcstage/internal/gpu/searches"
	"bcstage/pipeline"
	"bcstage/preprocess"
)

// A square a-b-c-d with a tail d-e, as text.
const tailed = "a,b\nb,c\nc,d\nd,a\nd,e\n"

// text returns options that read edges from a text.
func text(edges string) (opts pipeline.Options) {
	opts.Read, opts.Files.Stdin = arrowio.Read, strings.NewReader(edges)
	return opts
}

// Names in, the same names with scores out.
func ExampleStringScores() {
	src := []string{"ann", "bob", "cid"}
	dst := []string{"bob", "cid", "dan"}
	names, scores, _, err := pipeline.StringScores(context.Background(), src, dst, pipeline.Options{})
	fmt.Println(names, scores, err)
	// Output: [ann bob cid dan] [0 2 2 0] <nil>
}

// Any supported format in, a table handed to a function, here written as CSV.
func ExampleRun() {
	opts := text(tailed)
	opts.Sort = pipeline.ByScore
	stats, err := pipeline.Run(context.Background(), opts, func(ctx context.Context, t tables.Table) error {
		return arrowio.Write(ctx, os.Stdout, tables.FormatCSV, t)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stats.Vertices, "vertices,", stats.Edges, "edges")
	// Output:
	// vertex,betweenness_centrality
	// d,3.5
	// a,1
	// c,1
	// b,0.5
	// e,0
	// 5 vertices, 5 edges
}

// After changes of scores, Arrange orders the rows again.
func ExampleArrange() {
	_, err := pipeline.Run(context.Background(), text(tailed), func(ctx context.Context, t tables.Table) error {
		scores := t.Floats(tables.ScoreColumn)
		for v, neighbours := range []float64{2, 2, 2, 3, 1} {
			scores[v] /= neighbours
		}
		pipeline.Arrange(&t, pipeline.ByScore)
		return arrowio.Write(ctx, os.Stdout, tables.FormatCSV, t)
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// vertex,betweenness_centrality
	// d,1.1666666666666667
	// a,0.5
	// c,0.5
	// b,0.25
	// e,0
}

// The size of a run, before anything is computed.
func ExampleInspect() {
	info, err := pipeline.Inspect(context.Background(), text(tailed))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(info.Vertices, "vertices,", info.Folded, "folded,", info.Blocks, "block")
	fmt.Println("costs are known:", info.ReadingBytes > 0 && info.MemoryLimit > 0)
	// Output:
	// 5 vertices, 1 folded, 1 block
	// costs are known: true
}

// A graph is read and reduced once; from then on the file replaces the edges.
func ExamplePrepare() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "graph.bcg")
	_, err = pipeline.Prepare(context.Background(), text(tailed), func(ctx context.Context, graph *preprocess.Prepared) error {
		file, err := os.Create(path)
		if err != nil {
			return err
		}
		return errors.Join(graph.Write(ctx, file), file.Close())
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var opts pipeline.Options
	opts.Files.Paths = []string{path}
	_, err = pipeline.Run(context.Background(), opts, func(_ context.Context, t tables.Table) error {
		fmt.Println(t.Floats(tables.ScoreColumn))
		return nil
	})
	fmt.Println(err)
	// Output:
	// [1 0.5 1 3.5 0]
	// <nil>
}

// Three machines compute a third each; their tables are added up.
func ExampleMerge() {
	var parts []tables.Table
	for _, share := range []string{"0/3", "1/3", "2/3"} {
		opts := text(tailed)
		var err error
		if opts.Shard, err = pipeline.ParseShard(share); err != nil {
			fmt.Println(err)
			return
		}
		if _, err = pipeline.Run(context.Background(), opts, func(_ context.Context, t tables.Table) error {
			parts = append(parts, t)
			return nil
		}); err != nil {
			fmt.Println(err)
			return
		}
	}
	next := func() (t tables.Table, more bool, err error) {
		if len(parts) == 0 {
			return t, false, nil
		}
		t, parts = parts[0], parts[1:]
		return t, true, nil
	}
	_, err := pipeline.Merge(context.Background(), next, pipeline.Output{}, func(_ context.Context, t tables.Table) error {
		fmt.Println(t.Floats(tables.ScoreColumn))
		return nil
	})
	fmt.Println(err)
	// Output:
	// [1 0.5 1 3.5 0]
	// <nil>
}

// Neighbours of the vertices of a table of scores, in the order of its rows.
func ExampleDegrees() {
	var scores tables.Table
	_, err := pipeline.Run(context.Background(), text(tailed), func(_ context.Context, t tables.Table) error {
		scores = t
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	degrees, err := pipeline.Degrees(context.Background(), &scores, text(tailed))
	fmt.Println(degrees, err)
	// Output: [2 2 2 3 1] <nil>
}

// One share of eight, or several that are done together.
func ExampleParseShard() {
	one, err := pipeline.ParseShard("2/8")
	fmt.Println(one.Mine, one.Of, err)
	some, err := pipeline.ParseShard("0,7/8")
	fmt.Println(some.Mine, some.Of, err)
	// Output:
	// [2] 8 <nil>
	// [0 7] 8 <nil>
}

// Options can be checked before a run, so that a service can refuse early.
func ExampleOptions_Check() {
	var opts pipeline.Options
	opts.Threads = -1
	fmt.Println(errors.Is(opts.Check(), pipeline.ErrOptions))
	// Output: true
}

// The default of Compute.Memory.
func ExampleAvailableMemory() {
	fmt.Println(pipeline.AvailableMemory() > 0)
	// Output: true
}

// The version in scores and --stats.
func ExampleVersion() {
	fmt.Println(pipeline.Version() != "")
	// Output: true
}

// A table of pairs, in parts that are sent as they are found; all parts have the same ids.
func ExampleDistances() {
	opts := text(tailed)
	opts.Sources = pipeline.StringVertexSet("e")
	opts.Question.Cutoff = "2"
	parts := make(chan tables.Table)
	done := make(chan error, 1)
	go func() {
		_, err := pipeline.Distances(context.Background(), opts, true, parts)
		done <- err
	}()
	write := func(yield func(tables.Table, error) bool) {
		for part := range parts {
			if !yield(part, nil) {
				return
			}
		}
	}
	fmt.Println(arrowio.WriteParts(context.Background(), os.Stdout, tables.FormatCSV, write), <-done)
	// Output:
	// source,vertex,distance,paths
	// e,e,0,1
	// e,d,1,1
	// e,a,2,1
	// e,c,2,1
	// <nil> <nil>
}

// Paths that begin at one vertex and end at another.
func ExampleVertexSetOf() {
	opts := text("1,2\n2,3\n3,4\n")
	opts.Sources, opts.Targets = pipeline.VertexSetOf(1), pipeline.VertexSetOf(4)
	opts.Question.Directed = true
	_, err := pipeline.Run(context.Background(), opts, func(ctx context.Context, t tables.Table) error {
		fmt.Println(t.Floats(tables.ScoreColumn))
		return nil
	})
	fmt.Println(err)
	// Output:
	// [0 1 1 0]
	// <nil>
}

// The same with names.
func ExampleStringVertexSet() {
	opts := text(tailed)
	opts.Sources = pipeline.StringVertexSet("e", "nobody")
	_, err := pipeline.Run(context.Background(), opts, func(context.Context, tables.Table) error { return nil })
	fmt.Println(errors.Is(err, tables.ErrInput))
	// Output: true
}

// The same with a file's first column.
func ExampleReadVertexSet() {
	sources, err := pipeline.ReadVertexSet(context.Background(), arrowio.ReadIDs, tables.Options{Stdin: strings.NewReader("id,name\ne,Eve\n")})
	fmt.Println(err)
	opts := text(tailed)
	opts.Sources = sources
	stats, err := pipeline.Run(context.Background(), opts, func(context.Context, tables.Table) error { return nil })
	fmt.Println(stats.Sources.Vertices, err)
	// Output:
	// <nil>
	// 1 <nil>
}

func ExampleReadTripTable() {
	file := tables.Options{Stdin: strings.NewReader("origin,destination,trips\na,c,3\nc,a,1\na,a,5\n")}
	trips, err := pipeline.ReadTripTable(context.Background(), arrowio.ReadTrips, file, pipeline.TripColumns())
	fmt.Println(err)
	opts := text("a,b\nb,c\n")
	opts.Trips = trips
	_, err = pipeline.Run(context.Background(), opts, func(ctx context.Context, t tables.Table) error {
		fmt.Println(t.Floats("flow"))
		return nil
	})
	fmt.Println(err)
	// Output:
	// <nil>
	// [0 4 0]
	// <nil>
}

func ExampleReadDecay() {
	file := tables.Options{Stdin: strings.NewReader("distance,share\n0,1\n400,0.5\n800,0\n")}
	share, err := pipeline.ReadDecay(context.Background(), arrowio.ReadNumbers, file)
	fmt.Println(share, err)
	// Output: table:0=1,400=0.5,800=0 <nil>
}

func ExampleReadChangeTable() {
	folder, err := os.MkdirTemp("", "since")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	graph := filepath.Join(folder, "yesterday.bcg")
	_, err = pipeline.Prepare(context.Background(), text("a,b\nb,c\nc,d\n"), func(ctx context.Context, prepared *preprocess.Prepared) error {
		file, err := os.Create(graph)
		if err != nil {
			return err
		}
		return errors.Join(prepared.Write(ctx, file), file.Close())
	})
	fmt.Println(err)
	var scores tables.Table
	keep := func(ctx context.Context, t tables.Table) error { scores = t; return nil }
	_, err = pipeline.Run(context.Background(), text("a,b\nb,c\nc,d\n"), keep)
	fmt.Println(scores.Floats("betweenness_centrality"), err)

	file := tables.Options{Stdin: strings.NewReader("src,dst,op\na,d,+\n")}
	changes, err := pipeline.ReadChangeTable(context.Background(), arrowio.ReadTrips, file)
	fmt.Println(err)
	opts := pipeline.Options{Since: &pipeline.Since{Prepared: graph, Scores: &scores, Changes: changes}}
	_, err = pipeline.Run(context.Background(), opts, func(ctx context.Context, t tables.Table) error {
		fmt.Println(t.Floats("betweenness_centrality"))
		return nil
	})
	fmt.Println(err)
	// Output:
	// <nil>
	// [0 2 2 0] <nil>
	// <nil>
	// [0.5 0.5 0.5 0.5]
	// <nil>
}

func ExampleTripTableOf() {
	opts := text("1,2\n2,3\n")
	opts.Trips = pipeline.TripTableOf([]int{1}, []int{3}, []int64{7})
	_, err := pipeline.Run(context.Background(), opts, func(ctx context.Context, t tables.Table) error {
		fmt.Println(t.Floats("flow"))
		return nil
	})
	fmt.Println(err)
	// Output:
	// [0 7 0]
	// <nil>
}

func ExampleTripColumns() {
	fmt.Println(pipeline.TripColumns())
	// Output: [origin destination trips]
}

func ExampleEstimateColumns() {
	fmt.Println(pipeline.EstimateColumns(true))
	// Output: [lower upper change change_lower change_upper]
}

func ExampleBenchSearches() {
	opts := text(tailed)
	bench := searchbench.Bench{Problems: []searches.Problem{searches.BFS}, Strategies: []searches.Strategy{searches.Queue, searches.Workload}, Sources: 4}
	err := pipeline.BenchSearches(context.Background(), opts, bench, func(f searchbench.Figures) error {
		fmt.Println(f.Strategy, f.Bytes, "bytes", f.Seconds)
		return nil
	})
	if errors.Is(err, gpu.ErrNotBuilt) || errors.Is(err, gpu.ErrNoDevice) {
		err = nil // it needs a device
	}
	fmt.Println(err)
}
