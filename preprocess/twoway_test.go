package preprocess

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// sameBack gives arcs between two vertices the same length both ways.
func sameBack(g *csr.Graph) *csr.Graph {
	for _, way := range []*csr.Graph{g, g.In} {
		way.Lengths = make([]int64, len(way.Targets))
		for v := range uint32(g.Vertices()) {
			for at := way.Offsets[v]; at < way.Offsets[v+1]; at++ {
				way.Lengths[at] = 1 + int64(way.Targets[at]+v)%5
			}
		}
	}
	return g
}

// A block of which each arc has its reverse, as long, becomes undirected, whatever the block beside it is.
func TestTwoWayBlocks(t *testing.T) {
	streets := testgraphs.Join(testgraphs.Grid(4, 4), shifted(15, testgraphs.Grid(4, 4)))
	both := append(testgraphs.Reversed(streets), streets...)
	uneven := sameBack(digraphOf(31, both))
	uneven.Lengths[0]++ // from 0 to 1
	uneven.In.Lengths[uneven.In.Offsets[1]]++
	for name, x := range map[string]struct {
		*csr.Graph
		directed int
		off      string
	}{
		"both ways":      {digraphOf(31, both), 0, "pruning"},
		"one way":        {digraphOf(31, append(testgraphs.Reversed(streets[1:]), streets...)), 1, "pruning"},
		"even lengths":   {sameBack(digraphOf(31, both)), 0, "pruning"},
		"uneven lengths": {uneven, 1, "pruning"},
		"off":            {digraphOf(31, both), 2, "two-way"},
	} {
		opts := Options{Question: question.Question{Directed: true}, Off: []string{x.off}}
		if x.HasLengths() {
			opts.Question.Lengths = byWeight().Lengths
		}
		want, directed := prepare(t, x.Graph, numbered(31), opts), 0
		for i := range want.Blocks {
			if want.Blocks[i].Directed() {
				directed++
			}
		}
		if len(want.Blocks) != 2 || directed != x.directed {
			t.Errorf("%s: %d of %d blocks are directed, want %d of 2", name, directed, len(want.Blocks), x.directed)
		}
		compare(t, scoresOf(t, x.Graph, opts), brandes(x.Graph))
		if got, err := open(t, fileOf(t, want)); err != nil || !reflect.DeepEqual(got.Blocks, want.Blocks) {
			t.Errorf("%s: other blocks from the file: %v", name, err)
		}
	}
}

// A cycle both ways has a closed form, unless an arc is longer than its reverse.
func TestTwoWayCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(40, 1))
	opts, searched := Options{Question: question.Question{Directed: true, Lengths: byWeight().Lengths}}, 0
	for range 200 {
		n := 3 + r.IntN(9)
		ring := testgraphs.Ring(0, uint32(n))
		g := digraphOf(n, append(testgraphs.Reversed(ring), ring...))
		if r.IntN(2) == 0 {
			sameBack(g)
		} else {
			withLengths(r, g, 9)
		}
		compare(t, scoresOf(t, g, opts), brandes(g))
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		searched += len(p.Blocks)
	}
	if searched == 0 || searched > 150 {
		t.Errorf("%d of 200 cycles are searched", searched)
	}
}

// A component whose arcs all run both ways has one undirected block for the distances of both directions, unless paths
// begin at some vertices only.
func TestTwoWayDistances(t *testing.T) {
	streets := testgraphs.Grid(20, 20)
	both := append(testgraphs.Reversed(streets), streets...)
	q := question.Question{Directed: true, Measures: []string{measures.Farness + measures.In, measures.Farness + measures.Out}}
	some := q
	some.Sources = ends([]uint32{3}, nil).Question.Sources
	long := q
	long.Lengths = byWeight().Lengths
	for name, x := range map[string]struct {
		g                *csr.Graph
		opts             Options
		blocks, directed int
	}{
		"both ways":    {digraphOf(400, both), Options{Question: q}, 1, 0},
		"one way":      {digraphOf(400, both[1:]), Options{Question: q}, 2, 2},
		"even lengths": {sameBack(digraphOf(400, both)), Options{Question: long}, 1, 0},
		"lengths":      {withLengths(rand.New(rand.NewPCG(40, 2)), digraphOf(400, both), 9), Options{Question: long, Off: []string{"pruning"}}, 2, 2},
		"one source":   {digraphOf(400, both), Options{Question: some, Sources: []uint32{3}}, 2, 2},
	} {
		p, err := Reduce(t.Context(), x.g, x.opts)
		if err != nil {
			t.Fatal(name, err)
		}
		directed := 0
		for i := range p.Blocks {
			if p.Blocks[i].Directed() {
				directed++
			}
		}
		if len(p.Blocks) != x.blocks || directed != x.directed {
			t.Errorf("%s: %d of %d blocks are directed, want %d of %d", name, directed, len(p.Blocks), x.directed, x.blocks)
		}
	}
}
