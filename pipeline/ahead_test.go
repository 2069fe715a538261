package pipeline

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// Workers are made ahead if several threads will search for distances alone, from all vertices of a
// small graph, and memory allows it. They change no number.
func TestAhead(t *testing.T) {
	distances := question.Question{Measures: []string{measures.Harmonic, measures.Eccentricity}}
	with := func(change func(*Options)) Options {
		o := Options{Question: distances, Compute: Compute{Threads: 3}}
		o.Source = sourceOf(ring(3))
		change(&o)
		return o
	}
	for i, test := range []struct {
		opts     Options
		vertices int
		workers  int
	}{
		{with(func(*Options) {}), 1600, 3},
		{with(func(*Options) {}), 900, 2}, // two batches
		{with(func(*Options) {}), 500, 0},
		{with(func(*Options) {}), 1 << 17, 0},
		{with(func(*Options) {}), 0, 0}, // nothing is reduced
		{with(func(o *Options) { o.Threads = 1 }), 1600, 0},
		{with(func(o *Options) { o.Memory = 4 << 20 }), 1600, 0},
		{with(func(o *Options) { o.Engine = EngineGPU }), 1600, 0},
		{with(func(o *Options) { o.Sources = VertexSetOf(1, 2) }), 1600, 0},
		{with(func(o *Options) { o.Question = question.Question{} }), 1600, 0},
		{with(func(o *Options) { o.Question.Measures = append(o.Question.Measures, measures.Betweenness) }), 1600, 0},
	} {
		opts, err := test.opts.complete()
		if err != nil {
			t.Fatal(i, err)
		}
		r := newRun(opts)
		r.plan.vertices <- test.vertices
		made, err := r.makeAhead(t.Context())
		if err != nil || len(made.workers) != test.workers || (made.room != nil) != (test.workers > 0) {
			t.Errorf("case %d: %d workers, %v, want %d", i, len(made.workers), err, test.workers)
		}
	}

	r := rand.New(rand.NewPCG(3, 24))
	e := &edgeList{name: "components"}
	first := 0
	for _, n := range []int{900, 400, 300, 7, 2} {
		for range 3 * n {
			e.join(first+r.IntN(n), first+r.IntN(n))
		}
		first += n
	}
	for _, directed := range []bool{false, true} {
		asked := distances
		if e.directed = directed; directed {
			asked.Measures = []string{measures.Harmonic + measures.In, measures.Farness + measures.Out}
		}
		want := run1(t, e, Options{Question: asked, Compute: Compute{Threads: 1}})
		for threads := 2; threads < 5; threads++ {
			got := run1(t, e, Options{Question: asked, Compute: Compute{Threads: threads}})
			if !reflect.DeepEqual(got.Columns, want.Columns) {
				t.Error(fmt.Sprint("directed: ", directed), threads, "threads tell other columns than one")
			}
		}
	}
}
