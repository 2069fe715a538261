package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Options that Since excludes are refused by name, before anything is computed.
func TestSinceRefuses(t *testing.T) {
	e := graphs(rand.New(rand.NewPCG(33, 5)), 1)
	last := e[len(e)-1]
	since := night(t, last)
	scores := func(change func(*tables.Table)) *Since {
		table := *since.Scores
		table.Metadata, table.Columns = slices.Clone(table.Metadata), slices.Clone(table.Columns)
		change(&table)
		return &Since{Prepared: since.Prepared, Scores: &table}
	}
	told := func(key, value string) *Since {
		return scores(func(t *tables.Table) {
			t.Metadata = slices.DeleteFunc(t.Metadata, func(e tables.KeyValue) bool { return e.Key == key })
			t.Metadata = append(t.Metadata, tables.KeyValue{Key: key, Value: value})
		})
	}
	old := filepath.Join(t.TempDir(), "old.bcg")
	var file bytes.Buffer
	_, err := Prepare(t.Context(), Options{Input: Input{Source: sourceOf(last)}}, func(ctx context.Context, graph *preprocess.Prepared) error {
		graph.Upward = nil // as files from before Upward
		return graph.Write(ctx, &file)
	})
	if err == nil {
		err = os.WriteFile(old, file.Bytes(), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for want, opts := range map[string]Options{
		"want a prepared graph":             {Since: &Since{}},
		"--since together with --endpoints": {Since: since, Question: question.Question{Endpoints: true}},
		"prepared for another question":     {Since: since, Question: question.Question{Cutoff: "3"}},
		"only one of the two graphs":        {Since: since, Input: Input{Files: tables.Options{Bipartite: true}}},
		"want no edges beside them":         {Since: &Since{Prepared: since.Prepared, Scores: since.Scores, Changes: changes(t, "src,dst,op\n")}},
		"prepare it again":                  {Since: &Since{Prepared: old, Scores: since.Scores}},
		"of another graph":                  {Since: told("fingerprint", "abc")},
		"no metadata says":                  {Since: scores(func(t *tables.Table) { t.Metadata = nil })},
		"want raw scores":                   {Since: told("normalisation", "relative to the highest score")},
		"of another question":               {Since: told("question", "way=pairs")},
		`metadata since_nights: "-1"`:       {Since: told("since_nights", "-1")},
		"not between columns":               {Since: told("estimate", "pairs")},
		"no column":                         {Since: scores(func(t *tables.Table) { t.Columns = nil })},
		"want one for each": {Since: scores(func(t *tables.Table) {
			t.Columns[0].Values = t.Columns[0].Values.(tables.Floats)[1:]
		})},
		"no row for vertex": {Since: scores(func(t *tables.Table) {
			t.IDs.Ints = slices.Clone(t.IDs.Ints)
			t.IDs.Ints[0] = 1 << 40
		})},
		"ids are of type utf8": {Since: scores(func(t *tables.Table) { t.Type = tables.StringIDs() })},
	} {
		class := ErrOptions
		if opts.Since.Prepared == old {
			class = preprocess.ErrPrepared
		}
		if _, err := tryRun(last, opts); !errors.Is(err, class) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
	if _, err := Prepare(t.Context(), Options{Since: since, Input: Input{Source: sourceOf(last)}}, nil); !errors.Is(err, ErrOptions) {
		t.Errorf("prepare: error %v", err)
	}
}

// A table of changes that does not match its graph gives an error that names the row. A valid table may name an
// edge again.
func TestChangesOfText(t *testing.T) {
	source := func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		edges <- tables.Batch{Src: tables.Keys{Bytes: []byte("abc"), Offsets: []int64{0, 1, 2, 3}}, Dst: tables.Keys{Bytes: []byte("bcd"), Offsets: []int64{0, 1, 2, 3}}}
		return tables.Summary{IDs: tables.StringIDs(), Rows: 3}, nil
	}
	var table tables.Table
	if _, err := Run(t.Context(), Options{Input: Input{Source: source}}, into(&table)); err != nil {
		t.Fatal(err)
	}
	graph := prepared(t, Options{Input: Input{Source: source}})
	run := func(text string) (got tables.Table, err error) {
		opts := Options{Since: &Since{Prepared: graph, Scores: &table, Changes: changes(t, text)}, Compute: Compute{Engine: EngineCPU}}
		_, err = Run(t.Context(), opts, into(&got))
		return got, err
	}
	got, err := run("src,dst,op\nd,e,+\na,b,-\nb,a,+\nb,a,-\n")
	if err != nil || string(got.IDs.Bytes) != "bcde" || !slices.Equal(scoresIn(got), []float64{0, 2, 2, 0}) {
		t.Errorf("%s %v, error %v", got.IDs.Bytes, scoresIn(got), err)
	}
	for text, want := range map[string]string{
		"a,b,+\n":        `row 1: "a" and "b": the graph has this edge already`,
		"c,d,-\na,c,-\n": `row 2: "a" and "c": the graph has no such edge`,
		"a,a,+\n":        "an edge from a vertex to itself",
		"a,c,plus\n":     `column op is "plus", want + or -`,
		"a,z,+\nz,a,+\n": "row 2",
		"a,b,-\nb,a,-\n": "row 2",
	} {
		if _, err := run("src,dst,op\n" + text); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// Columns of degrees and components may stand beside the scores; they are of today's graph.
func TestSinceWithFacts(t *testing.T) {
	asked := question.Question{Measures: []string{measures.Betweenness, measures.Degree, measures.ComponentSize, measures.Rank}}
	r := rand.New(rand.NewPCG(33, 6))
	for _, e := range graphs(r, 3) {
		since := night(t, e)
		added, removed := drawnChanges(r, e, 0, 3)
		now, _ := e.changedBy(r, added, removed)
		want := run1(t, now, Options{Question: asked})
		for _, order := range []Order{FirstSeen, ByScore} {
			got := run1(t, now, Options{Question: asked, Output: Output{Sort: order}, Since: &Since{Prepared: since.Prepared, Scores: since.Scores, way: wayMasses}})
			for _, name := range []string{measures.Degree, measures.ComponentSize} {
				if !slices.Equal(got.Ints(name), want.Ints(name)) {
					t.Errorf("%s: %s %v, want %v", e.name, name, got.Ints(name), want.Ints(name))
				}
			}
			for i := 1; i < len(got.Order); i++ {
				if scoresIn(got)[got.Order[i]] > scoresIn(got)[got.Order[i-1]] {
					t.Errorf("%s: rows not by score: %v", e.name, got.Order)
				}
			}
		}
	}
}

// Scores of other masses are refused. Masses whose sums over both graphs have no room take a whole run.
func TestSinceOfOtherMasses(t *testing.T) {
	ring := listed("ring with a leaf", append(testgraphs.Ring(0, 40), testgraphs.Edge{5, 40}))
	moved := listed("ring with the leaf elsewhere", append(testgraphs.Ring(0, 40), testgraphs.Edge{6, 40}))
	others := ""
	for v := 1; v < 40; v++ {
		others += fmt.Sprintf("%d,1\n", v)
	}
	options := func(e *edgeList, masses string) Options {
		opts := e.asText(false)
		opts.Files.Vertices = filepath.Join(t.TempDir(), "vertices.csv")
		if err := os.WriteFile(opts.Files.Vertices, []byte("id,people\n"+others+masses), 0o600); err != nil {
			t.Fatal(err)
		}
		return opts
	}
	run := func(e *edgeList, masses string, since *Since, way string) (table tables.Table, stats *Stats, err error) {
		opts := options(e, masses)
		opts.Question.Origins.Column, opts.Question.Sample.Way, opts.Since = "people", way, since
		stats, err = Run(t.Context(), opts, into(&table))
		return table, stats, err
	}
	for masses, want := range map[string]struct{ now, asked, way, fault string }{
		"0,3\n40,5\n":                {"0,3\n40,5\n", wayMasses, wayMasses, ""},
		"0,4\n40,5\n":                {"0,3\n40,5\n", "", "", "of other masses"},
		"0,2.5\n40,5\n":              {"0,3\n40,5\n", "", "", "origins-total=465; want origins=people origins-total=47"},
		"0,5\n40,3\n":                {"0,3\n40,5\n", "", "", "of other masses or trips, or by another version"},
		"0,5\n40,4503599627370497\n": {"0,5\n40,4503599627370497\n", wayMasses, wayWhole, ""},
	} {
		graph := prepared(t, options(ring, masses))
		scores, _, err := run(ring, masses, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		since := &Since{Prepared: graph, Scores: &scores, way: want.asked}
		got, stats, err := run(moved, want.now, since, "")
		if want.fault != "" {
			_, _, estimated := run(moved, want.now, since, "pairs")
			for _, err := range []error{err, estimated} {
				if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), want.fault) {
					t.Errorf("%q: %v", masses, err)
				}
			}
			continue
		}
		whole, _, failed := run(moved, want.now, nil, "")
		if err = errors.Join(err, failed); err != nil || stats.Since.Way != want.way {
			t.Fatalf("%q: %v, %+v", masses, err, stats.Since)
		}
		if differs := alike(got, byID(whole, measures.FlowColumn)); differs != "" {
			t.Errorf("%q: %s", masses, differs)
		}
	}
}
