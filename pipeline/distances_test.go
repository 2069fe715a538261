package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
)

// distanceRows returns the rows of Distances, as "source vertex distance paths".
func distanceRows(ctx context.Context, t *testing.T, opts Options, paths bool) (rows []string, stats *Stats, err error) {
	t.Helper()
	parts := make(chan tables.Table)
	done := make(chan struct{})
	go func() {
		defer close(done)
		stats, err = Distances(ctx, opts, paths, parts)
	}()
	first := true
	for part := range parts {
		if first && len(part.Pairs.Ends[0]) > 0 {
			t.Error("the first part, which has names and types, has rows")
		}
		first = false
		for row := range part.Pairs.Ends[0] {
			id := func(end int) string { return part.Type.Format(part.IDs, int(part.Pairs.Ends[end][row])) }
			text := fmt.Sprint(id(0), " ", id(1))
			if len(part.By) > 0 {
				text = part.By[0].Type.Format(part.By[0].Keys, int(part.Graph[part.Pairs.Ends[0][row]])) + ": " + text
			}
			for _, column := range part.Columns {
				switch values := column.Values.(type) {
				case tables.Ints:
					text += fmt.Sprint(" ", values[row])
				case tables.Floats:
					text += fmt.Sprint(" ", values[row])
				}
			}
			rows = append(rows, text)
		}
	}
	<-done
	return rows, stats, err
}

// edgesSource sends edges between integers, with the graph of each if by is set.
func edgesSource(edges []testgraphs.Edge, by []string) Source {
	return func(ctx context.Context, out chan<- tables.Batch) (tables.Summary, error) {
		defer close(out)
		b := tables.Batch{}
		summary := tables.Summary{Rows: int64(len(edges)), IDs: tables.Uint64IDs()}
		for _, e := range edges {
			b.Src.Ints, b.Dst.Ints = append(b.Src.Ints, uint64(e[0])), append(b.Dst.Ints, uint64(e[1]))
		}
		if by != nil {
			keys := tables.Keys{Offsets: []int64{0}}
			for _, name := range by {
				keys.Bytes = append(keys.Bytes, name...)
				keys.Offsets = append(keys.Offsets, int64(len(keys.Bytes)))
			}
			b.By = []tables.Keys{keys}
			summary.By = []tables.GroupColumn{{Name: "g", Type: tables.StringIDs()}}
		}
		select {
		case out <- b:
			return summary, nil
		case <-ctx.Done():
			return summary, ctx.Err()
		}
	}
}

// A square with a tail, by hand.
func TestDistances(t *testing.T) {
	square := []testgraphs.Edge{{10, 11}, {11, 12}, {12, 13}, {10, 13}, {13, 14}, {20, 21}}
	opts := Options{Input: Input{Source: edgesSource(square, nil)}, Sources: VertexSetOf(14, 10)}
	for _, test := range []struct {
		what    string
		change  func(*Options)
		paths   bool
		want    []string
		sources int
	}{
		{"hops", func(*Options) {}, true, []string{
			"10 10 0 1", "10 11 1 1", "10 13 1 1", "10 12 2 2", "10 14 2 1",
			"14 14 0 1", "14 13 1 1", "14 10 2 1", "14 12 2 1", "14 11 3 2"}, 2},
		{"near", func(o *Options) { o.Question.Cutoff = "1" }, false, []string{"10 10 0", "10 11 1", "10 13 1", "14 14 0", "14 13 1"}, 2},
		{"arcs", func(o *Options) { o.Question.Directed = true }, false, []string{"10 10 0", "10 11 1", "10 13 1", "10 12 2", "10 14 2", "14 14 0"}, 2},
		{"graphs", func(o *Options) {
			o.Sources = VertexSetOf(13)
			o.Source = edgesSource(square, []string{"a", "a", "b", "b", "b", "a"})
		}, false, []string{"b: 13 13 0", "b: 13 12 1", "b: 13 10 1", "b: 13 14 1"}, 1},
		{"targets", func(o *Options) { o.Targets = VertexSetOf(12, 20, 14) }, true, []string{"10 12 2 2", "10 14 2 1", "14 14 0 1", "14 12 2 1"}, 2},
		{"no targets", func(o *Options) { o.Targets = VertexSetOf[int]() }, false, nil, 2},
		{"none", func(o *Options) { o.Sources = VertexSetOf[int]() }, false, nil, 0},
	} {
		o := opts
		test.change(&o)
		p := o // over the prepared graph
		p.Sources, p.Targets, p.Question.Cutoff = nil, nil, ""
		p.Files.Paths, p.Source = []string{prepared(t, p)}, nil
		p.Sources, p.Targets, p.Question = o.Sources, o.Targets, o.Question
		if rows, _, err := distanceRows(t.Context(), t, p, test.paths); err != nil || !slices.Equal(rows, test.want) {
			t.Errorf("%s, prepared: %q, %v; want %q", test.what, rows, err, test.want)
		}
		rows, stats, err := distanceRows(t.Context(), t, o, test.paths)
		if err != nil || !slices.Equal(rows, test.want) || stats.Sources.Vertices != test.sources || stats.Vertices < 7 {
			t.Errorf("%s: %q, %+v, %v; want %q", test.what, rows, stats, err, test.want)
		}
	}
}

// Threads change how sources are grouped, and no row.
func TestDistancesOfAnyThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		n := 50 + r.IntN(400)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(2*n))
		var all []int
		for v := range n {
			if r.IntN(2) == 0 {
				all = append(all, v)
			}
		}
		opts := Options{Input: Input{Source: edgesSource(edges, nil)}, Sources: VertexSetOf(all...)}
		opts.Question.Directed = r.IntN(2) == 0
		paths := r.IntN(2) == 0
		var want []string
		for _, threads := range []int{1, 2, 7, 100} {
			opts.Threads = threads
			rows, _, err := distanceRows(t.Context(), t, opts, paths)
			if want == nil {
				want = rows
			}
			if err != nil || len(rows) == 0 || !reflect.DeepEqual(rows, want) {
				t.Fatalf("%d threads: %d rows, %v; want %d", threads, len(rows), err, len(want))
			}
		}
	}
}

func TestDistancesRefused(t *testing.T) {
	opts := Options{Input: Input{Source: edgesSource(testgraphs.Diamonds(1100), nil)}, Sources: VertexSetOf(0)}
	_, _, err := distanceRows(t.Context(), t, opts, true)
	if !errors.Is(err, ErrPaths) {
		t.Errorf("2^1100 paths: %v", err)
	}
	rows, _, err := distanceRows(t.Context(), t, opts, false)
	if err != nil || len(rows) != 3301 {
		t.Errorf("without paths: %d rows, %v", len(rows), err)
	}
	for what, change := range map[string]func(*Options){
		"no sources": func(o *Options) { o.Sources = nil },
		"endpoints":  func(o *Options) { o.Question.Endpoints = true },
		"a shard":    func(o *Options) { o.Shard = Shard{Of: 2, Mine: []int{1}} },
		"cutoff":     func(o *Options) { o.Question.Cutoff = "1.5" },
	} {
		o := opts
		change(&o)
		if _, _, err := distanceRows(t.Context(), t, o, false); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", what, err)
		}
	}
	o := opts
	o.Sources = VertexSetOf(0, 99999)
	if _, _, err := distanceRows(t.Context(), t, o, false); !errors.Is(err, tables.ErrInput) {
		t.Errorf("an id that no vertex has: %v", err)
	}
	o.Sources, o.Targets = VertexSetOf(0), VertexSetOf(99999)
	if _, _, err := distanceRows(t.Context(), t, o, false); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "Options.Targets") {
		t.Errorf("a target that no vertex is: %v", err)
	}
	o = opts
	o.Memory = 1 << 10
	if _, _, err := distanceRows(t.Context(), t, o, false); !errors.Is(err, ErrMemory) {
		t.Errorf("a kilobyte of memory: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := distanceRows(ctx, t, opts, false); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
