package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/preprocess"
	"bcstage/preprocess/testblocks"
	"bcstage/preprocess/testgraphs"
)

// randomBlock is connected, of vertices of some mass.
func randomBlock(r *rand.Rand, n, extra, lanes int) *preprocess.Block {
	b := testblocks.Of(n, testgraphs.Random(r, n, n, extra), lanes)
	testblocks.TwoMasses(r, b)
	for v := range n {
		b.From[v] = float64(1 + r.IntN(5)*r.IntN(5))
	}
	return b
}

// randomDirected has n vertices and so many arcs, among them loops and repeats;
// what each vertex reaches may be little.
func randomDirected(r *rand.Rand, n, arcs, lanes int) *preprocess.Block {
	var edges []testgraphs.Edge
	for range arcs {
		edges = append(edges, testgraphs.Edge{uint32(r.IntN(n)), uint32(r.IntN(n))})
	}
	b := testblocks.Directed(n, edges, lanes)
	testblocks.TwoMasses(r, b)
	for v := range n {
		b.From[v] = float64(1 + r.IntN(5)*r.IntN(5))
	}
	r.Shuffle(n, func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
	return b
}

func grid(rows, columns, lanes int) *preprocess.Block {
	return testblocks.Of(rows*columns, testgraphs.Grid(uint32(rows), uint32(columns)), lanes)
}

func layered(width, depth, lanes int) *preprocess.Block {
	return testblocks.Of(width*depth, testgraphs.Layers(uint32(width), uint32(depth)), lanes)
}

func diamonds(k, lanes int) *preprocess.Block {
	return testblocks.Of(3*k+1, testgraphs.Diamonds(uint32(k)), lanes)
}

func wantClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s: [%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}
