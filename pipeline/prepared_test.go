package pipeline

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// A graph that was prepared for betweenness answers every other question with the table of a run from edges, to the bit. These
// are masses, trips, decay, constrained origins, several cutoffs, other columns and ends. It keeps columns of vertices, too.
func TestPreparedAnswersAsItsEdges(t *testing.T) {
	random := rand.New(rand.NewPCG(61, 31))
	flows, kinds := map[string]int{}, []string{"masses", "trips", "decay", "constrained", "cutoffs", "columns"}
	for number := range 480 / testgraphs.OneIn {
		kind := kinds[number%len(kinds)]
		all := anyTogether(random, kind == "trips")
		sides := []string{"", "a", "b", "ab"}[random.IntN(4)]
		switch kind {
		case "trips":
			sides = ""
		case "decay", "constrained":
			all.spreads = kind == "constrained"
			all.decay, all.share = decays(random)
		}
		options := func() (o Options) {
			if number%2 == 0 {
				o = all.options(t, sides)
			} else {
				g := all.graphs[0]
				g.keep, g.spreads, g.stay, g.decay, g.share, g.endpoints = false, all.spreads, all.stay, all.decay, all.share, all.endpoints
				if o = g.options(t, sides); g.table != nil {
					o.Trips = tripsFile(t, g.table)
				}
			}
			o.Question.Lengths.Repeats = ""
			switch kind {
			case "cutoffs":
				o.Question.Cutoff = "1,2,5"
			case "columns":
				o.Question.Measures = []string{measures.Degree, measures.Access, measures.MeanDistance, measures.Component, measures.WeightedHarmonic, measures.Betweenness}
				if o.Question.Directed {
					o.Question.Measures = []string{measures.Degree + measures.In, measures.Component, measures.Betweenness, measures.Reach + measures.Out}
				}
			}
			if kind != "trips" {
				o.Files.Keep = []string{"a"}
			}
			return o
		}
		var want, got tables.Table
		opts := options()
		if _, err := Run(t.Context(), opts, into(&want)); err != nil {
			t.Fatalf("%s: %v: %+v", kind, err, all)
		}
		plain := options()
		plain.Question, plain.Trips, plain.Sources, plain.Files.Keep = question.Question{Directed: opts.Question.Directed, Lengths: opts.Question.Lengths}, nil, nil, nil
		opts.Files.Paths, opts.Files.Stdin, opts.Files.Format = []string{prepared(t, plain)}, nil, ""
		if opts.Files.Keep == nil && sides == "" {
			opts.Files.Vertices = ""
		}
		if kind != "trips" {
			opts.Files.By = nil
		}
		if _, err := Run(t.Context(), opts, into(&got)); err != nil {
			t.Fatalf("%s: %v: %+v", kind, err, all)
		}
		if !reflect.DeepEqual(got.Columns, want.Columns) || !reflect.DeepEqual(got.Metadata, want.Metadata) || !reflect.DeepEqual(got.IDs, want.IDs) || !reflect.DeepEqual(got.Order, want.Order) {
			t.Errorf("%s: %+v, want %+v", kind, got, want)
		}
		for i, column := range want.Kept {
			every := make([]uint32, len(got.IDs.Ints))
			for v := range every {
				every[v] = uint32(v)
			}
			if values := column.Pick(every); !reflect.DeepEqual(got.Kept[i].KeptValues, values) {
				t.Errorf("%s: kept %v, want %v", kind, got.Kept[i], values)
			}
		}
		for _, column := range want.Columns {
			if strings.HasPrefix(column.Name, measures.FlowColumn) || strings.HasPrefix(column.Name, "betweenness") {
				for _, x := range want.Floats(column.Name) {
					if x > 0 {
						flows[kind]++
					}
				}
			}
		}
	}
	for _, kind := range kinds {
		if flows[kind] == 0 {
			t.Errorf("%s: no score was more than 0", kind)
		}
	}
}

// A vertex table beside a prepared graph may be in any order, and lack vertices. Its ids are vertices of the graph.
func TestVerticesBesidePrepared(t *testing.T) {
	e := &edgeList{name: "path", src: []int64{1, 2, 3}, dst: []int64{2, 3, 4}}
	path := prepared(t, Options{Input: Input{Source: sourceOf(e)}})
	run := func(rows string) (tables.Table, error) {
		vertices := filepath.Join(t.TempDir(), "vertices.csv")
		if err := os.WriteFile(vertices, []byte("people,id\n"+rows), 0o600); err != nil {
			t.Fatal(err)
		}
		var table tables.Table
		opts := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Paths: []string{path}, Vertices: vertices}}, Compute: Compute{Engine: EngineCPU}}
		opts.Question.Origins.Column = "people"
		_, err := Run(t.Context(), opts, into(&table))
		return table, err
	}
	// Vertex 2 is between 1 and 3, 4: .5 × 2 + 100 + 7. Vertex 3 is between 1, 2 and 4: .5 + 7 × 2.
	table, err := run("7,4\n.5,1\n100,3\n")
	if err != nil || !reflect.DeepEqual([]float64(table.Floats("flow")), []float64{0, 108, 14.5, 0}) {
		t.Errorf("%v, %v", table.Floats("flow"), err)
	}
	for rows, want := range map[string]string{
		"1,9\n":      "vertex 9 is not in the prepared graph",
		"1,1\n2,1\n": "row 2 names a vertex again",
		"-1,1\n":     "row 1",
		"1,x\n":      "ids are of type",
	} {
		if _, err := run(rows); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", rows, err)
		}
	}
}
