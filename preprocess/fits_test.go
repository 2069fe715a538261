package preprocess

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Where memory is too small for all goroutines, fewer work, and the plan is the same.
// Where it is too small for one, Reduce fails.
func TestFewerThreadsFit(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	plain := graphOf(3000, testgraphs.Random(r, 3000, 3000, 20))
	for name, of := range map[string]struct {
		graph    *csr.Graph
		question question.Question
	}{
		"endpoints": {plain, question.Question{Endpoints: true, Cutoff: "3"}},
		"pruning":   {withLengths(r, graphOf(3000, testgraphs.Random(r, 3000, 3000, 20)), 50), byWeight()},
	} {
		short := errors.New("too little memory")
		reduce := func(threads int, limit int64) (plan *Plan, most int64, err error) {
			fits := func(bytes int64) error {
				if bytes > limit {
					return short
				}
				most = max(most, bytes)
				return nil
			}
			plan, err = Reduce(t.Context(), of.graph, Options{Question: of.question, Threads: threads, Fits: fits})
			return plan, most, err
		}
		want, one, err := reduce(1, 1<<40)
		if err != nil {
			t.Fatal(err)
		}
		if _, all, err := reduce(64, 1<<40); err != nil || all <= one {
			t.Errorf("%s: 64 goroutines want %d bytes, one %d: %v", name, all, one, err)
		}
		if got, most, err := reduce(64, one); err != nil || most != one || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: with %d bytes %d were taken, %v", name, one, most, err)
		}
		if _, _, err := reduce(64, one-1); !errors.Is(err, short) {
			t.Errorf("%s: with too little memory: %v", name, err)
		}
	}
}

// Every question asks for memory, also one without searches.
func TestEveryQuestionAsks(t *testing.T) {
	g := graphOf(30, testgraphs.Grid(5, 6))
	for _, m := range measures.All() {
		q := question.Question{Directed: m.Of != "", Measures: []string{m.Name}}
		g := g
		if q.Directed {
			g = digraphOf(30, testgraphs.Grid(5, 6))
		}
		if q.Answerable() != nil {
			continue
		}
		asked := int64(0)
		fits := func(bytes int64) error { asked = max(asked, bytes); return nil }
		if _, err := Reduce(t.Context(), g, Options{Question: q, Fits: fits}); err != nil || asked < ReduceBytes(g.Vertices(), g.Edges()) {
			t.Errorf("%s: %d bytes, %v", m.Name, asked, err)
		}
	}
}
