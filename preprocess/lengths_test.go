package preprocess

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/budget"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// byWeight asks for betweenness by lengths.
func byWeight() question.Question {
	return question.Question{Lengths: question.Lengths{Column: "w"}}
}

// withLengths gives the edges, or the arcs of a directed graph, lengths of 1 to most.
func withLengths(r *rand.Rand, g *csr.Graph, most int64) *csr.Graph {
	lengths := make(map[edge]int64)
	fill := func(g *csr.Graph, key func(u, v uint32) edge) {
		g.Lengths = make([]int64, 0, len(g.Targets))
		for u := range uint32(g.Vertices()) {
			for _, v := range g.Neighbours(u) {
				if lengths[key(u, v)] == 0 {
					lengths[key(u, v)] = 1 + r.Int64N(most)
				}
				g.Lengths = append(g.Lengths, lengths[key(u, v)])
			}
		}
	}
	if g.In == nil {
		fill(g, func(u, v uint32) edge { return edge{min(u, v), max(u, v)} })
	} else {
		fill(g, func(u, v uint32) edge { return edge{u, v} })
		fill(g.In, func(u, v uint32) edge { return edge{v, u} })
	}
	return g
}

// Every reduction that is on for lengths keeps the scores, alone and with others. Few
// different lengths make many ties.
func TestReduceLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for i := range 3000 / testgraphs.OneIn {
		g := withLengths(r, randomGraph(r), []int64{1, 2, 3, 10, 1 << 40}[i%5])
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			opts := Options{Question: byWeight(), Threads: 1 + r.IntN(3), Lanes: r.IntN(engine.MaxLanes + 1), Off: anyOff(r)}
			compare(t, scoresOf(t, g, opts), brandes(g))
		})
	}
}

// With directions and chosen ends, too, scores are those of enumerating all shortest
// paths, in fractions.
func TestReduceLengthsOfAnyKind(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for i := range 4000 / testgraphs.OneIn {
		g := anyGraph(r, i)
		if g.Vertices() > 60 {
			continue
		}
		g = withLengths(r, g, []int64{1, 2, 3, 10, 1 << 40}[i%5])
		sources, targets, opts := anyEnds(r, g, 2)
		opts.Threads, opts.Lanes, opts.Off = 1+r.IntN(3), r.IntN(engine.MaxLanes+1), anyOff(r)
		opts.Question.Directed, opts.Question.Lengths = g.In != nil, byWeight().Lengths
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := enumerated(g, sources, targets, anyLength)
			if g.In == nil {
				want = halved(want)
			}
			compare(t, scoresOf(t, g, opts), want)
		})
	}
}

// False twins with equal lengths are one class, and the nearest of their common
// neighbours lie between them. One other length separates them. True twins are not
// merged, since a path around may tie with their edge.
func TestTwinsWithLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	merged := 0
	for i := range 2000 / testgraphs.OneIn {
		// Some vertices copy another's edges, lengths included, and a few are spoilt.
		n := 3 + r.IntN(6)
		var edges []edge
		var lengths []int64
		for _, e := range testgraphs.Random(r, n, n, 2*n) {
			edges, lengths = append(edges, e), append(lengths, 1+r.Int64N(3))
		}
		for range 1 + r.IntN(6) {
			of, copied := r.Uint32N(uint32(n)), uint32(n)
			for j, e := range edges {
				if e[0] == of || e[1] == of {
					edges, lengths = append(edges, edge{e[0] + e[1] - of, copied}), append(lengths, lengths[j]+int64(max(r.IntN(40)-38, 0)))
				}
			}
			n++
		}
		table := make(map[edge]int64)
		for j, e := range edges {
			table[edge{min(e[0], e[1]), max(e[0], e[1])}] = lengths[j]
		}
		g := graphOf(n, edges)
		for u := range uint32(n) {
			for _, v := range g.Neighbours(u) {
				g.Lengths = append(g.Lengths, table[edge{min(u, v), max(u, v)}])
			}
		}
		opts := Options{Question: byWeight(), Threads: 1 + i%3, Off: [][]string{nil, {"pruning"}, {"folding", "blocks"}}[i%3]}
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		merged += p.Twins
		compare(t, scoresOf(t, g, opts), brandes(g))
	}
	if merged < 20 {
		t.Errorf("only %d twins were merged", merged)
	}
}

func TestReduceLengthsShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for name, g := range shapesOfGraphs() {
		for _, most := range []int64{2, 5, 100} {
			g := withLengths(r, g, most)
			compare(t, scoresOf(t, g, Options{Question: byWeight(), Threads: 2}), brandes(g))
			t.Log(name, most)
		}
	}
}

// A plan with lengths comes back from its file. Its fingerprint and memory differ
// from those of one without.
func TestLengthsInFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	kinds := 0
	for range 60 {
		g := withLengths(r, randomGraph(r), 9)
		want := prepare(t, g, numbered(g.Vertices()), Options{Question: byWeight()})
		got, err := open(t, fileOf(t, want))
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Blocks) == 0 {
			want.Blocks = nil
			continue
		}
		kinds++
		if !reflect.DeepEqual(got.Blocks, want.Blocks) || got.Fingerprint != want.Fingerprint || got.Question.Identity() != want.Question.Identity() {
			t.Fatalf("%+v, want %+v", got.Plan, want.Plan)
		}
		with, bytes := want.Fingerprint, want.Bytes()
		lengths := int64(0)
		for i := range want.Blocks {
			lengths += budget.Held(want.Blocks[i].Lengths)
			want.Blocks[i].Lengths[0]++
		}
		if sum, err := fingerprint(t.Context(), want.Plan, 1); err != nil || sum == with {
			t.Error("another length has the same fingerprint")
		}
		for i := range want.Blocks {
			want.Blocks[i].Lengths = nil
		}
		if want.Bytes() != bytes-lengths || lengths == 0 {
			t.Errorf("%d bytes, %d without lengths of %d", bytes, want.Bytes(), lengths)
		}
	}
	if kinds < 10 {
		t.Errorf("only %d plans with blocks", kinds)
	}
}

// The largest possible lengths come back from a file.
func TestLongestLengthsInFiles(t *testing.T) {
	for n := uint32(4); n < 9; n++ {
		edges := testgraphs.Clique(0, n)[1:] // has no closed form
		src, dst := testgraphs.Columns(edges)
		w := building.Weights{Digits: slices.Repeat([]int64{1<<csr.LongestPath/int64(n-1) - 1000}, len(edges))}
		w.Digits[0]--
		b := building.NewBuilder(1)
		if err := b.AddWeightedEdges(building.Keys{Ints: src}, building.Keys{Ints: dst}, w); err != nil {
			t.Fatal(err)
		}
		in, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := prepare(t, &in.Graph, in.IDs, Options{Question: byWeight()})
		got, err := open(t, fileOf(t, want))
		if err != nil || in.Scale.Rounding > 0 || len(got.Blocks) == 0 {
			t.Fatalf("%d vertices: %v, %+v", n, err, in.Scale)
		}
	}
}

// A graph whose lengths were all equal has none. It is reduced as if the question
// were not about lengths, except for the fingerprint.
func TestEqualLengths(t *testing.T) {
	for name, g := range map[string]*csr.Graph{"chains": chained(), "houses": houses(90)} {
		hops, err := Reduce(t.Context(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := Reduce(t.Context(), g, Options{Question: byWeight()})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Fingerprint == hops.Fingerprint {
			t.Errorf("%s: the question is not in the fingerprint", name)
		}
		plan.Question, plan.Fingerprint = hops.Question, hops.Fingerprint
		if !reflect.DeepEqual(plan, hops) {
			t.Errorf("%s: another plan than without lengths", name)
		}
	}
	if _, err := Reduce(t.Context(), withLengths(rand.New(rand.NewPCG(1, 1)), chained(), 9), Options{}); !errors.Is(err, errOptions) {
		t.Errorf("lengths that the question is not about: %v", err)
	}
}
