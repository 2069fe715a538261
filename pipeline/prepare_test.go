package pipeline

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// prepared writes the prepared graph of the edges to a file.
func prepared(t *testing.T, opts Options) string {
	t.Helper()
	var file bytes.Buffer
	_, err := Prepare(t.Context(), opts, func(ctx context.Context, graph *preprocess.Prepared) error { return graph.Write(ctx, &file) })
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "graph.bcg")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func runPrepared(t *testing.T, path string, opts Options) tables.Table {
	t.Helper()
	var table tables.Table
	opts.Engine = EngineCPU
	opts.Files.Paths = []string{path}
	if _, err := Run(t.Context(), opts, into(&table)); err != nil {
		t.Fatal(err)
	}
	return table
}

// A prepared graph gives the table of its edges, whole and in shards.
func TestPreparedRunsAsItsEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(61, 1))
	for _, e := range bothQuestions(append(graphs(random, 6), deviceGraph())) {
		asked := question.Question{Directed: e.directed}
		path := prepared(t, Options{Question: asked, Input: Input{Source: sourceOf(e)}, Compute: Compute{Lanes: 2}})
		for _, opts := range []Options{{}, {Question: question.Question{Measures: []string{measures.Betweenness, measures.ComponentSize, measures.Degree, measures.Reach, measures.Rank}}}, {Output: Output{Sort: ByScore}}, {Compute: Compute{Precision: Float32, Lanes: 2}}} {
			if e.directed && opts.Question.Measures != nil {
				continue // directed measures have other names
			}
			opts.Question.Directed = e.directed
			got := runPrepared(t, path, opts)
			opts.Lanes = 2
			want := run1(t, e, opts)
			if !slices.Equal(scoresIn(got), scoresIn(want)) || !slices.Equal(got.Order, want.Order) || !reflect.DeepEqual(got.IDs, want.IDs) ||
				!slices.Equal(got.Metadata, want.Metadata) || got.Type.String() != want.Type.String() {
				t.Errorf("%s: %+v, want %+v", e.name, got, want)
			}
			if !reflect.DeepEqual(got.Columns, want.Columns) {
				t.Errorf("%s: columns %v, want %v", e.name, got.Columns, want.Columns)
			}
		}
		// Shards of the file and of the edges match.
		merged, err := tryMerge([]tables.Table{
			runPrepared(t, path, Options{Question: asked, Parts: Parts{Shard: Shard{Mine: []int{1}, Of: 2}}}),
			run1(t, e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Shard: Shard{Mine: []int{0}, Of: 2}}}),
		}, Output{})
		if err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		if want := run1(t, e, Options{Compute: Compute{Lanes: 2}}); !slices.Equal(scoresIn(merged), scoresIn(want)) {
			t.Errorf("%s: merged %v, want %v", e.name, scoresIn(merged), scoresIn(want))
		}
	}
}

// The facts of reading are in the file, too, and preparing a prepared graph gives the same file.
func TestPreparedKeepsWhatWasRead(t *testing.T) {
	text := "a,b\nb,c\nc,d\nd,a\na,c\nb,b\na,b\n,x\nd,e\n"
	edges := func() Options {
		return Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Stdin: bytes.NewReader([]byte("src,dst\n" + text)), Nulls: tables.NullsDrop}}}
	}
	want, err := Inspect(t.Context(), edges())
	if err != nil {
		t.Fatal(err)
	}
	path := prepared(t, edges())
	got, err := Inspect(t.Context(), Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Stats{&want.Stats, &got.Stats} {
		s.Seconds, s.PeakMemory = Seconds{}, 0
	}
	if got.Fingerprint != want.Fingerprint || got.EdgesRead != 8 || got.EdgesRead != want.EdgesRead || got.Duplicates != want.Duplicates ||
		got.SelfLoops != 1 || got.IDs.String() != "utf8" || got.NullsDropped != 1 || got.Files != want.Files || got.Components != want.Components || got.Folded != want.Folded {
		t.Errorf("%+v, want %+v", got.Stats, want.Stats)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(prepared(t, Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}}))
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("prepared again: another file: %v", err)
	}

	ids := tables.Keys{Bytes: []byte("edcba"), Offsets: []int64{0, 1, 2, 3, 4, 5}}
	degrees, err := Degrees(t.Context(), &tables.Table{IDs: ids}, Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}})
	if want := []int64{1, 3, 3, 2, 3}; err != nil || !slices.Equal(degrees, want) {
		t.Errorf("degrees %v, %v; want %v", degrees, err, want)
	}
	for _, other := range []tables.Keys{
		{Bytes: []byte("edcb"), Offsets: []int64{0, 1, 2, 3, 4}},
		{Bytes: []byte("edcbx"), Offsets: []int64{0, 1, 2, 3, 4, 5}},
		{Ints: []uint64{1, 2, 3, 4, 5}},
	} {
		if _, err := Degrees(t.Context(), &tables.Table{IDs: other}, Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}}); !errors.Is(err, tables.ErrInput) {
			t.Errorf("%v: %v", other, err)
		}
	}
}

func TestPreparedRefuses(t *testing.T) {
	path := prepared(t, Options{Input: Input{Source: sourceOf(deviceGraph())}})
	for name, test := range map[string]struct {
		opts Options
		want error
	}{
		"lanes":    {Options{Compute: Compute{Lanes: 8}}, ErrOptions},
		"column":   {Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Src: "a", Dst: "b"}}}, ErrOptions},
		"format":   {Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Format: tables.FormatCSV}}}, ErrOptions},
		"vertices": {Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Vertices: "x.csv"}}}, ErrOptions},
		"two":      {Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path, path}}}}, tables.ErrInput},
	} {
		if test.opts.Files.Paths == nil {
			test.opts.Files.Paths = []string{path}
		}
		if _, err := Inspect(t.Context(), test.opts); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Inspect(t.Context(), Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}}); !errors.Is(err, preprocess.ErrPrepared) {
		t.Errorf("damaged: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Inspect(ended, Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A prepared graph whose paths begin, or end, at some vertices answers all columns that need its
// distances, also columns that need the number of such vertices.
func TestPreparedForOneColumnAnswersOthers(t *testing.T) {
	e := &edgeList{name: "kite", src: []int64{0, 1, 2, 3, 2, 4}, dst: []int64{1, 2, 3, 4, 4, 5}}
	ends := map[string]func(*Options){
		"sources": func(o *Options) { o.Sources = VertexSetOf[int64](0, 2) },
		"targets": func(o *Options) { o.Targets = VertexSetOf[int64](1, 3, 5) },
	}
	for name, choose := range ends {
		opts := asking(measures.ClosenessClassic)
		choose(&opts)
		opts.Source = sourceOf(e)
		path := prepared(t, opts)
		opts.Question.Measures = []string{measures.Closeness, measures.Farness}
		want := run1(t, e, opts)
		opts.Source = nil
		if got := runPrepared(t, path, opts); !reflect.DeepEqual(got.Columns, want.Columns) {
			t.Errorf("%s: %v, want %v", name, got.Columns, want.Columns)
		}
	}
}
