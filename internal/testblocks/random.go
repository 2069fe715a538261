package testblocks

import (
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// Random is a connected block of vertices with random masses.
func Random(r *rand.Rand, n, extra, lanes int) *preprocess.Block {
	b := Of(n, testgraphs.Random(r, n, n, extra), lanes)
	TwoMasses(r, b)
	for v := range n {
		b.From[v] = float64(1 + r.IntN(5)*r.IntN(5))
	}
	return b
}

// RandomDirected has n vertices and arcs arcs, among them loops and repeats; vertices may reach little.
func RandomDirected(r *rand.Rand, n, arcs, lanes int) *preprocess.Block {
	var edges []testgraphs.Edge
	for range arcs {
		edges = append(edges, testgraphs.Edge{uint32(r.IntN(n)), uint32(r.IntN(n))})
	}
	b := Directed(n, edges, lanes)
	TwoMasses(r, b)
	for v := range n {
		b.From[v] = float64(1 + r.IntN(5)*r.IntN(5))
	}
	r.Shuffle(n, func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
	return b
}

// Grid is a block of rows and columns.
func Grid(rows, columns, lanes int) *preprocess.Block {
	return Of(rows*columns, testgraphs.Grid(uint32(rows), uint32(columns)), lanes)
}

// Layered is a block of layers of some width, each joined to the next.
func Layered(width, depth, lanes int) *preprocess.Block {
	return Of(width*depth, testgraphs.Layers(uint32(width), uint32(depth)), lanes)
}

// Diamonds is a block of a chain of k diamonds, each of which doubles the paths.
func Diamonds(k, lanes int) *preprocess.Block {
	return Of(3*k+1, testgraphs.Diamonds(uint32(k)), lanes)
}

// WantClose fails the test where values differ by more than the tolerance, relative to wanted values of 1 or
// more.
func WantClose(t *testing.T, what string, got, want []float64, tolerance float64) {
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

// Multiply gives vertices random multiplicities: the formulas hold for any numbers.
func Multiply(r *rand.Rand, b *preprocess.Block) {
	for range b.Vertices() {
		b.Multiplicity = append(b.Multiplicity, float64(1+r.IntN(4)))
	}
}
