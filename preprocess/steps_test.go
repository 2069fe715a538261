package preprocess

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// TestReductionsByQuestion pins which reductions are off for which question, and why. Most of
// these questions are not answered yet: the list of exact parts prevents a formula from being
// applied before it fits.
func TestReductionsByQuestion(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "",
		"endpoints=true way=sources seed=3":   "",
		"columns=betweenness,component_size":  "",
		"directed=true":                       "",
		"directed=true edge-scores=true":      "two-way: --edge-scores, out-sets: --edge-scores, directed-twins: --edge-scores",
		"weight=a unit=10^-6 repeats=sum":     "cliques: --weight",
		"sources=" + strings.Repeat("ab", 32): "",
		"decay=exp:1":                         "blocks: --decay, cycles: --decay, chains: --decay",
		"decay=exp:1 endpoints=true":          "blocks: --decay, cycles: --decay, chains: --decay",
		"decay=exp:1 decay-floor=0.5":         "folding: --decay, blocks: --decay, cycles: --decay, chains: --decay",
		"decay=exp:1 origins=a":               "blocks: --decay, cycles: --decay, chains: --decay",
		"decay=exp:1 edge-scores=true":        "folding: --decay, blocks: --decay, cycles: --decay, chains: --decay",
		"decay=power:1":                       "folding: --decay, blocks: --decay, cycles: --decay, chains: --decay",
		"constrained=origins":                 "blocks: --constrained, cycles: --constrained, chains: --constrained",
		"columns=access":                      "folding: --columns access, blocks: --columns access, cliques: --columns access, cycles: --columns access, chains: --columns access, twins: --columns access",
		"decay=exp:1 directed=true":           "folding: --decay, blocks: --decay, cycles: --decay, chains: --decay, out-sets: --decay, directed-twins: --decay",
		"cutoff=3":                            "folding: --cutoff, blocks: --cutoff, cycles: --cutoff, chains: --cutoff",
	} {
		q, err := question.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := offOf(reductions(q, nil, false)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got, want := offOf(reductions(question.Question{Decay: question.Decay{Share: "exp:1"}}, nil, true)), "folding: --decay, blocks: --decay, cycles: --decay, chains: --decay"; got != want {
		t.Errorf("drawn: %q, want %q", got, want)
	}
	if got, want := offOf(reductions(question.Question{}, []string{"blocks", "twins"}, false)), "blocks: not wanted, cycles: needs blocks, chains: needs blocks, twins: not wanted"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func offOf(all []Reduction) string {
	var off []string
	for _, r := range all {
		if r.Off != "" {
			off = append(off, r.Name+": "+r.Off)
		}
	}
	return strings.Join(off, ", ")
}

// TestEveryReductionPays: each reduction changes some graph, and a plan says which were on.
func TestEveryReductionPays(t *testing.T) {
	g := graphOf(2000, testgraphs.Join(testgraphs.Grid(20, 20), testgraphs.Star(400, 99), testgraphs.Ring(500, 100), testgraphs.Clique(600, 5), bipartiteFrom(700, 3, 5),
		[]edge{{0, 400}, {1, 500}, {2, 600}, {3, 700}}, chainedFrom(800)))
	all, err := Reduce(context.Background(), g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all.Reductions {
		if r.Off != "" {
			t.Errorf("%s is off: %s", r.Name, r.Off)
		}
		without, err := Reduce(context.Background(), g, Options{Off: []string{r.Name}})
		if err != nil {
			t.Fatal(err)
		}
		if got := offOf(without.Reductions); !strings.HasPrefix(got, r.Name+": not wanted") {
			t.Errorf("without %s: off are %q", r.Name, got)
		}
		// Leaves that do not fold are cliques, and cliques are twins: then only counts differ.
		if without.Reductions = all.Reductions; reflect.DeepEqual(without, all) {
			t.Errorf("without %s, the plan is the same", r.Name)
		}
	}
	if len(all.Reductions) != 6 {
		t.Errorf("%d reductions", len(all.Reductions))
	}
}

func shifted(by uint32, edges []edge) []edge {
	for i := range edges {
		edges[i][0] += by
		edges[i][1] += by
	}
	return edges
}

func bipartiteFrom(first, a, b uint32) []edge { return shifted(first, testgraphs.Bipartite(a, b)) }

// chainedFrom is a clique of four whose edges are chains of ten.
func chainedFrom(first uint32) (edges []edge) {
	next := uint32(4)
	for _, e := range testgraphs.Clique(0, 4) {
		from := e[0]
		for range 9 {
			edges = append(edges, edge{from, next})
			from = next
			next++
		}
		edges = append(edges, edge{from, e[1]})
	}
	return shifted(first, edges)
}

func TestUnknownReduction(t *testing.T) {
	for _, name := range []string{"", "magic"} {
		if _, err := Reduce(context.Background(), graphOf(2, testgraphs.Path(0, 1)), Options{Off: []string{name}}); !errors.Is(err, errOptions) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestStepsAreWhole: everything that a step refers to exists.
func TestStepsAreWhole(t *testing.T) {
	var q question.Question
	met := map[string]bool{"": true}
	for _, s := range steps() {
		if s.run == nil || !met[s.needs] || s.name == "" && (s.exact != nil || s.without != nil) {
			t.Errorf("step %+v", s)
		}
		if s.name != "" && met[s.name] {
			t.Errorf("%s twice", s.name)
		}
		met[s.name] = true
		for _, part := range s.exact {
			if _, measure := measures.Named(part); !measure && errors.Is(q.Set(part, ""), question.ErrQuestion) && strings.Contains(q.Set(part, "").Error(), "no part") {
				t.Errorf("%s is exact for %q, which is neither a measure nor a part of a question", s.name, part)
			}
		}
	}
}
