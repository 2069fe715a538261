package preprocess

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// Plans of distances, with every kind of block, are read as they were written.
func TestPreparedDistances(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 16))
	roads := 0
	for i := range 60 {
		g := randomGraph(random)
		if i%4 == 0 {
			g = lagoons(random)
		}
		q := question.Question{Measures: [][]string{{measures.Farness}, {measures.Betweenness, measures.Closeness, measures.Degree}, {measures.Harmonic, measures.Reach, measures.Component, measures.IndependentSet}}[i%3]}
		var opts Options
		switch random.IntN(4) {
		case 0:
			q.Cutoff = []string{"0", "1", "2", "5"}[random.IntN(4)]
		case 1:
			q.Sources = question.SetOf(func(func([]byte) bool) {})
			for v := range g.Vertices() {
				if random.IntN(3) == 0 {
					opts.Sources = append(opts.Sources, uint32(v))
				}
			}
		case 2:
			q.Targets = question.SetOf(func(func([]byte) bool) {})
			if g.Vertices() > 2 {
				opts.Targets = []uint32{1}
			}
		}
		if i%5 == 0 {
			q.Lengths.Column, opts.Divisor = "km", 1
			g.Lengths = make([]int64, len(g.Targets))
			for v := range uint32(g.Vertices()) {
				for at := g.Offsets[v]; at < g.Offsets[v+1]; at++ {
					g.Lengths[at] = 1 + int64(v^g.Targets[at])%7
				}
			}
		}
		opts.Question, opts.Lanes = q, i%4
		want := prepare(t, g, numbered(g.Vertices()), opts)
		got, err := open(t, fileOf(t, want))
		if err != nil {
			t.Fatalf("%s: %v", q, err)
		}
		for i := range want.Blocks {
			if want.Blocks[i].Roads != nil {
				roads++
			}
		}
		if len(want.Blocks) == 0 {
			want.Blocks = nil
		}
		if len(got.Blocks) == 0 {
			got.Blocks = nil
		}
		got.Plan.Degrees, want.Plan.Degrees, got.Plan.Pruned, want.Plan.Pruned = nil, nil, 0, 0
		got.Plan.Question, want.Plan.Question = question.Question{}, question.Question{} // only the identity is written
		if !reflect.DeepEqual(got.Plan, want.Plan) {
			t.Fatalf("%s: %+v, want %+v", q, got.Plan, want.Plan)
		}
	}
	if roads == 0 {
		t.Error("no roads")
	}
}

// A file has the arrays that only its question asks for, for both directions, with values in
// range.
func TestPreparedTold(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 17))
	asked := []string{measures.Betweenness, measures.Component, measures.IndependentSet, measures.Degree + measures.In, measures.Degree + measures.Out}
	for range 20 {
		n := 2 + random.IntN(20)
		var arcs []edge
		for range 2 * n {
			if u, v := uint32(random.IntN(n)), uint32(random.IntN(n)); u != v && !slices.Contains(arcs, edge{u, v}) {
				arcs = append(arcs, edge{u, v})
			}
		}
		g := digraphOf(n, arcs)
		want := prepare(t, g, numbered(n), Options{Question: question.Question{Directed: true, Measures: asked}})
		got, err := open(t, fileOf(t, want))
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range want.told() {
			if *values == nil || !slices.Equal(*got.told()[name], *values) {
				t.Fatalf("%s: %d, want %d", name, *got.told()[name], *values)
			}
		}
		for _, values := range [][]uint32{want.ComponentOf, want.IndependentSet} {
			before := values[n/2]
			values[n/2] = uint32(n)
			if _, err := open(t, fileOf(t, want)); !errors.Is(err, ErrPrepared) {
				t.Fatalf("%d of %d vertices: %v", n, n, err)
			}
			values[n/2] = before
		}
	}
}
