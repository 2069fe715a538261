package pipeline

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// asked is a question about distances of a graph, in the form of the test.
type asked struct {
	*weighted
	hops             bool
	unit             float64 // of 1 in weights.Digits
	cutoff           int64   // in units, or edges; below 0: none
	sources, targets []int64 // nil: all
}

// distances returns the distances between all vertices, by relaxing every edge until nothing
// changes; by source, then target. Distances above the cutoff are missing.
func (a *asked) distances() map[int64]map[int64]int64 {
	found := map[int64]map[int64]int64{}
	for _, v := range slices.Concat(a.src, a.dst) {
		found[v] = map[int64]int64{v: 0}
	}
	for _, from := range found {
		relax := func(u, v, length int64) bool {
			near, met := from[u]
			if old, there := from[v]; !met || there && old <= near+length {
				return false
			}
			from[v] = near + length
			return true
		}
		for changed := true; changed; {
			changed = false
			for i, u := range a.src {
				length := int64(1)
				if !a.hops {
					length = a.weights.Digits[i]
				}
				changed = relax(u, a.dst[i], length) || changed
				if !a.directed {
					changed = relax(a.dst[i], u, length) || changed
				}
			}
		}
		for v, d := range from {
			if a.cutoff >= 0 && d > a.cutoff {
				delete(from, v)
			}
		}
	}
	return found
}

// columns returns every measure of distances by definition; by measure, then vertex.
func (a *asked) columns() map[string]map[int64]float64 {
	found := a.distances()
	among := func(v int64, list []int64) bool { return list == nil || slices.Contains(list, v) }
	want := map[string]map[int64]float64{}
	put := func(name string, v int64, x float64) {
		if want[name] == nil {
			want[name] = map[int64]float64{}
		}
		want[name][v] = x
	}
	for v := range found {
		for _, way := range []string{"", measures.In, measures.Out} {
			begin, end := a.sources, a.targets
			if way == measures.Out {
				begin, end = end, begin
			}
			reach, others, far, harmonic, most := 0.0, 0.0, 0.0, 0.0, 0.0
			for u := range found {
				if u == v || !among(u, begin) {
					continue
				}
				others++
				d, met := found[u][v]
				if way == measures.Out {
					d, met = found[v][u]
				}
				if !met || !among(v, end) {
					continue
				}
				long := float64(d) * a.unit
				reach, far, harmonic, most = reach+1, far+long, harmonic+1/long, max(most, long)
			}
			put(measures.Reach+way, v, reach)
			put(measures.Farness+way, v, far)
			put(measures.Harmonic+way, v, harmonic)
			put(measures.Eccentricity+way, v, most)
			put(measures.Closeness+way, v, 0)
			put(measures.ClosenessClassic+way, v, 0)
			if far > 0 {
				put(measures.ClosenessClassic+way, v, reach/far)
				put(measures.Closeness+way, v, reach/far*reach/others)
			}
		}
	}
	return want
}

// randomAsked returns a graph with or without directions and lengths, and a question about it.
func randomAsked(r *rand.Rand) (*asked, Options) {
	base := graphs(r, 1)[0]
	a := &asked{weighted: &weighted{edgeList: *base}, cutoff: -1, unit: 1, hops: r.IntN(2) == 0}
	a.directed = r.IntN(2) == 0
	if r.IntN(4) == 0 {
		a.weighted = weightedStreets(r, r.IntN(2) == 0)
		a.directed = r.IntN(3) == 0
	}
	var opts Options
	opts.Question.Directed = a.directed
	if !a.hops {
		most, exponent := []int64{1, 3, 100, 1 << 40}[r.IntN(4)], int16(r.IntN(4)-2)
		a.unit = math.Pow10(int(exponent))
		a.weights = tables.Weights{}
		for range a.src {
			a.weights.Digits = append(a.weights.Digits, most/2+1+r.Int64N(most/2+1))
			a.weights.Exponents = append(a.weights.Exponents, exponent)
		}
		opts.Question.Lengths.Column = "km"
	}
	if r.IntN(3) == 0 {
		a.cutoff = r.Int64N(6)
		opts.Question.Cutoff = strconv.FormatInt(a.cutoff, 10)
		if !a.hops {
			a.cutoff *= slices.Max(append(a.weights.Digits, 1))
			// Written without a product of floats, which may be less than the length.
			exponent := int(math.Round(math.Log10(a.unit)))
			opts.Question.Cutoff, _ = decimalOf(strconv.FormatInt(a.cutoff, 10) + "e" + strconv.Itoa(exponent))
		}
	}
	some := func() []int64 {
		if r.IntN(3) > 0 || len(a.src) == 0 {
			return nil
		}
		if r.IntN(2) == 0 { // so few that searches begin there, wherever paths do
			return []int64{a.src[r.IntN(len(a.src))]}
		}
		list := []int64{}
		for range 1 + r.IntN(1+len(a.src)/2) {
			list = append(list, a.src[r.IntN(len(a.src))], a.dst[r.IntN(len(a.dst))])
		}
		return list
	}
	if a.sources = some(); a.sources != nil {
		opts.Sources = VertexSetOf(a.sources...)
	}
	if a.targets = some(); a.targets != nil {
		opts.Targets = VertexSetOf(a.targets...)
	}
	opts.Question.Endpoints = r.IntN(4) == 0 && opts.Question.Cutoff == ""
	return a, opts
}

// decimalOf converts a number to the form of questions.
func decimalOf(text string) (string, error) {
	var q question.Question
	err := q.Set("cutoff", text)
	return q.Cutoff, err
}

// Distances by lengths, within a cutoff, from and to some vertices are those of the definition,
// with betweenness and without, in one run and in parts.
func TestColumnsOfEveryQuestion(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 16))
	count := 10 + 400/testgraphs.OneIn
	if testing.Short() {
		count = 10
	}
	for i := range count {
		a, opts := randomAsked(r)
		names := a.everyMeasure(r, i%2 == 0)
		opts.Question.Measures = names
		opts.Threads, opts.Lanes = 1+i%3, []int{0, 0, 2, 3}[i%4]
		opts.Verify = 5 * (i % 2)
		run := func(opts Options) tables.Table {
			t.Helper()
			var table tables.Table
			opts.Engine, opts.Source = EngineCPU, a.source
			if a.hops {
				opts.Source = sourceOf(&a.edgeList)
			}
			_, err := Run(t.Context(), opts, into(&table))
			if errors.Is(err, engine.ErrWalk) {
				opts.Walk = "" // it suits no block
				_, err = Run(t.Context(), opts, into(&table))
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", a.name, opts.Question, err)
			}
			return table
		}
		opts.Walk, opts.Set = cpu.Walks()[r.IntN(len(cpu.Walks()))], cpu.Sets()[r.IntN(len(cpu.Sets()))]
		table := run(opts)
		opts.Walk, opts.Set = "", "" // parts of other plans must give the same bits
		want := a.columns()
		for c, column := range table.Columns {
			of := want[names[c]]
			if of == nil {
				continue
			}
			for v, got := range column.Values.Numbers() {
				if right := of[int64(table.IDs.Ints[v])]; !(math.Abs(got-right) <= 1e-12*right) {
					t.Fatalf("%d: %s: %s: %s of %d: %v, want %v (%v-%v %v)", i, a.name, opts.Question, names[c], table.IDs.Ints[v], got, right, a.src, a.dst, a.weights.Digits)
				}
			}
		}
		if i%5 > 0 {
			continue
		}
		opts.Lanes, opts.Verify = 2, 0
		whole := run(opts)
		fromFile := opts
		fromFile.Question.Measures = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			reached := question.Question{Measures: []string{name}}.Searches(measures.Reached)
			return reached || name == measures.Component || name == measures.IndependentSet || a.directed && strings.HasPrefix(name, measures.Degree)
		})
		if fromFile.Question.Check() == nil {
			fromFile.Source = a.source
			if a.hops {
				fromFile.Source = sourceOf(&a.edgeList)
			}
			path := prepared(t, fromFile)
			fromFile.Source, fromFile.Lanes = nil, 0
			got := runPrepared(t, path, fromFile)
			for _, column := range got.Columns {
				at := slices.IndexFunc(whole.Columns, func(c tables.Column) bool { return c.Name == column.Name })
				if column.Name != "rank" && !reflect.DeepEqual(column, whole.Columns[at]) {
					t.Fatalf("%d, prepared: %s: %v, want %v", i, opts.Question, column, whole.Columns[at])
				}
			}
		}
		var parts []tables.Table
		for mine := range 3 {
			opts.Shard = Shard{Mine: []int{mine}, Of: 3}
			var file bytes.Buffer
			if err := arrowio.Write(t.Context(), &file, tables.FormatArrow, run(opts)); err != nil {
				t.Fatal(err)
			}
			part, err := arrowio.ReadTable(context.Background(), tables.Options{Stdin: &file})
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, part)
		}
		opts.Shard = Shard{}
		compareJoined(t, strconv.Itoa(i), opts, run, parts, whole)
	}
}

// compareJoined compares merged parts, and a resumed second part, with the whole.
func compareJoined(t *testing.T, name string, opts Options, run func(Options) tables.Table, parts []tables.Table, whole tables.Table) {
	t.Helper()
	merged, err := tryMerge(parts, Output{})
	if err != nil {
		t.Fatal(err)
	}
	opts.Resume = &parts[1]
	for how, got := range map[string]tables.Table{"merged": merged, "resumed": run(opts)} {
		if !reflect.DeepEqual(got.Columns, whole.Columns) {
			t.Fatalf("%s, %s: %s: %v, want %v", name, how, opts.Question, got.Columns, whole.Columns)
		}
	}
}

// Parts whose lengths have other units are not added, even if their searches are alike.
func TestColumnsOfOtherLengths(t *testing.T) {
	w := &weighted{edgeList: edgeList{name: "path"}}
	for v, length := range []int64{2, 4, 6} {
		w.join(v, v+1)
		w.weights.Digits, w.weights.Exponents = append(w.weights.Digits, length), append(w.weights.Exponents, 0)
	}
	double := w.with(func(digits int64, exponent int16) (int64, int16) { return 2 * digits, exponent })
	opts := asking(measures.Farness)
	opts.Lanes = 1
	var parts []tables.Table
	for i, w := range []*weighted{w, double} {
		opts.Shard = Shard{Mine: []int{i}, Of: 2}
		table, _, err := w.try(opts)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, table)
	}
	if _, err := tryMerge(parts, Output{}); err == nil {
		t.Error("parts of other lengths were merged")
	}
	opts.Shard, opts.Resume = Shard{}, &parts[0]
	if _, _, err := double.try(opts); err == nil {
		t.Error("a part of other lengths was resumed")
	}
}

// Road networks, whose chains are not searched vertex by vertex, give the textbook's columns, also
// in parts and beside small components.
func TestColumnsOfRoads(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 18))
	for i := range 3 {
		e := &edgeList{name: "roads"}
		next := 6
		for range 10 {
			at := r.IntN(6)
			for range 10 + r.IntN(50) {
				e.join(at, next)
				at = next
				next++
			}
			e.join(at, r.IntN(6))
		}
		for range 30 {
			at := r.IntN(next)
			for range r.IntN(5) {
				e.join(at, next)
				at = next
				next++
			}
		}
		e.join(next, next+1)
		names := e.everyMeasure(r, i == 0)
		opts := asking(names...)
		opts.Lanes, opts.Threads, opts.Verify = 1, 2, 20
		table := run1(t, e, opts)
		checkColumns(t, e, names, table)
		var parts []tables.Table
		for mine := range 3 {
			opts.Shard = Shard{Mine: []int{mine}, Of: 3}
			parts = append(parts, run1(t, e, opts))
		}
		merged, err := tryMerge(parts, Output{})
		if err != nil || !reflect.DeepEqual(merged.Columns, table.Columns) {
			t.Errorf("merged: %v", err)
		}
	}
}

// Paths, distances to vertices and distances from them are three searches from a vertex, each in
// its own batch with one lane. Regression: parts of such a run were refused for having more batches
// than so few vertices can have.
func TestPartsOfThreeSearchesFromEveryVertex(t *testing.T) {
	w := &weighted{edgeList: edgeList{name: "steps", directed: true}}
	for v := range 24 {
		for step := 1; step < 4; step++ {
			w.join(v, v+step)
			w.weights.Digits = append(w.weights.Digits, int64(step*100+v%3))
			w.weights.Exponents = append(w.weights.Exponents, 0)
		}
	}
	opts := Options{Compute: Compute{Lanes: 1}}
	opts.Question.Measures = []string{measures.Betweenness, measures.Farness + measures.In, measures.Farness + measures.Out}
	run := func(opts Options) tables.Table {
		t.Helper()
		table, _, err := w.try(opts)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	whole := run(opts)
	var parts []tables.Table
	for mine := range 2 {
		opts.Shard = Shard{Mine: []int{mine}, Of: 2}
		parts = append(parts, run(opts))
	}
	opts.Shard = Shard{}
	compareJoined(t, "both ways", opts, run, parts, whole)
}
