package preprocess

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/preprocess/question"
)

// byWeight asks for betweenness by lengths.
func byWeight() question.Question {
	return question.Question{Lengths: question.Lengths{Column: "w"}}
}

// withLengths gives the edges lengths of 1 to most.
func withLengths(r *rand.Rand, g *Graph, most int64) *Graph {
	lengths := make(map[edge]int64)
	g.Lengths = make([]int64, 0, len(g.Targets))
	for v := range uint32(g.Vertices()) {
		for _, u := range g.Neighbours(v) {
			key := edge{min(u, v), max(u, v)}
			if lengths[key] == 0 {
				lengths[key] = 1 + r.Int64N(most)
			}
			g.Lengths = append(g.Lengths, lengths[key])
		}
	}
	return g
}

// Every reduction that is on for lengths leaves the scores as they are, alone and
// with others; few different lengths make many ties.
func TestReduceLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for i := range 3000 {
		g := withLengths(r, randomGraph(r), []int64{1, 2, 3, 10, 1 << 40}[i%5])
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			opts := Options{Question: byWeight(), Threads: 1 + r.IntN(3), Lanes: r.IntN(MaxLanes + 1), Off: anyOff(r)}
			compare(t, scoresOf(t, g, opts), brandes(g))
		})
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

// A plan with lengths comes back from its file, and its fingerprint and memory
// tell it from one without.
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
			lengths += held(want.Blocks[i].Lengths)
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

// A graph whose lengths were all equal has none, and is reduced as if nobody had
// asked for lengths, but for the fingerprint.
func TestEqualLengths(t *testing.T) {
	for name, g := range map[string]*Graph{"chains": chained(), "houses": houses(90)} {
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
	if _, err := Reduce(t.Context(), withLengths(rand.New(rand.NewPCG(1, 1)), chained(), 9), Options{}); !errors.Is(err, ErrOptions) {
		t.Errorf("lengths that the question is not about: %v", err)
	}
}
