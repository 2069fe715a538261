// Package generate makes benchmark graphs, edge by edge, in memory that does not grow with the
// number of edges.
//
// Every graph is a function of its parameters and its seed alone. Random numbers come from
// math/rand/v2's PCG seeded with (seed, 0), or from SplitMix64 where an edge or a place must be found
// again without storing it. (gnp also uses logarithms, and geometric square roots and distances, whose
// last bit may differ between processors.)
//
// Vertices are 0, 1, 2, ...; an edge is written once, in one direction. Kinds that draw ends
// independently (kron, rmat, er, smallworld, ba, citations, dependencies) may repeat an edge. The
// first three may draw a self-loop, as their definitions do. A vertex without edges does not appear
// (in those three, gnp, geometric, road, dependencies).
package generate

import (
	"errors"
	"fmt"
	"iter"
	"slices"
)

// ErrParameter says that a kind is unknown or a parameter outside its limits.
var ErrParameter = errors.New("invalid parameter")

// Edges are the two ends of each edge.
type Edges = iter.Seq2[uint64, uint64]

// Parameters of all kinds; each kind reads the ones that it lists.
type Parameters struct {
	Scale      int     // log2 of the number of vertices: 0..31
	EdgeFactor int     // edges per vertex: at least 1
	N          int     // vertices, or links of a chain: 1..2^31-1
	K          int     // neighbours, children, legs: see the kind
	P          float64 // probability: 0..1
	Rows       int     // rows of a grid, layers of a layered graph
	Cols       int     // columns of a grid, vertices per layer
	Seed       uint64
	Threads    int // goroutines; 0: GOMAXPROCS. Edges and their order do not depend on them
}

// Kind is one family of graphs.
type Kind struct {
	Name     string
	Usage    string     // one line
	Takes    []string   // parameters that it reads, named as flags; all random kinds read "seed" too
	Defaults Parameters // of the parameters that it reads
	edges    func(Parameters) Edges
}

const maxVertices = 1<<31 - 1

// Kinds returns all kinds, random ones first.
func Kinds() []Kind {
	return []Kind{
		{"kron", "Graph500 R-MAT .57 .19 .19 .05", []string{"scale", "edge-factor", "seed"},
			Parameters{Scale: 14, EdgeFactor: 16, Seed: 1}, kron},
		{"rmat", "R-MAT of GTgraph .45 .15 .15 .25", []string{"scale", "edge-factor", "seed"},
			Parameters{Scale: 14, EdgeFactor: 16, Seed: 1}, rmat},
		{"er", "Erdos-Renyi, by number of edges", []string{"scale", "edge-factor", "seed"},
			Parameters{Scale: 14, EdgeFactor: 16, Seed: 1}, uniform},
		{"smallworld", "Watts-Strogatz, rewired with P", []string{"n", "k", "p", "seed"},
			Parameters{N: 100_000, K: 10, P: 0.1, Seed: 1}, smallWorld},
		{"ba", "Barabasi-Albert, K edges each", []string{"n", "k", "seed"},
			Parameters{N: 10_000, K: 4, Seed: 1}, preferential},
		{"citations", "acyclic, cites 1 to K earlier ones", []string{"n", "k", "seed"},
			Parameters{N: 12_000, K: 6, Seed: 1}, citations},
		{"dependencies", "acyclic, K arcs to the next layer", []string{"rows", "cols", "k", "seed"},
			Parameters{Rows: 30, Cols: 400, K: 4, Seed: 1}, dependencies},
		{"gnp", "Erdos-Renyi, each pair with P", []string{"n", "p", "seed"},
			Parameters{N: 10_000, P: 0.001, Seed: 1}, gnp},
		{"geometric", "N points, joined where near", []string{"n", "seed"}, Parameters{N: 10_000, Seed: 1}, geometric},
		{"triangles", "grid with drawn diagonals", []string{"rows", "cols", "seed"}, Parameters{Rows: 128, Cols: 128, Seed: 1}, triangles},
		{"road", "grid with gaps and bends, about N", []string{"n", "seed"}, Parameters{N: 10_000, Seed: 1}, road},
		{"grid", "ROWS x COLS mesh", []string{"rows", "cols"}, Parameters{Rows: 128, Cols: 128}, grid},
		{"path", "N vertices in a row", []string{"n"}, Parameters{N: 1000}, path},
		{"cycle", "N vertices in a ring", []string{"n"}, Parameters{N: 1000}, cycle},
		{"star", "one centre, N-1 leaves", []string{"n"}, Parameters{N: 1000}, star},
		{"clique", "every pair of N vertices", []string{"n"}, Parameters{N: 100}, clique},
		{"tree", "N vertices, K children each", []string{"n", "k"}, Parameters{N: 1023, K: 2}, tree},
		{"caterpillar", "path of N vertices with K leaves each", []string{"n", "k"}, Parameters{N: 100, K: 3}, caterpillar},
		{"diamonds", "chain of N squares: 2^N paths", []string{"n"}, Parameters{N: 100}, diamonds},
		{"layered", "ROWS layers of COLS, fully joined", []string{"rows", "cols"},
			Parameters{Rows: 10, Cols: 10}, layered},
	}
}

// Find returns the kind of a name.
func Find(name string) (Kind, error) {
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, fmt.Errorf("%w: no graph kind %q", ErrParameter, name)
	}
	return kinds[i], nil
}

// Edges checks the parameters and returns the edges. They can be ranged over several times, with
// equal results.
func (k Kind) Edges(p Parameters) (Edges, error) {
	for _, name := range k.Takes {
		var err error
		switch name {
		case "scale":
			err = within(name, p.Scale, 0, 31)
		case "edge-factor":
			err = within(name, p.EdgeFactor, 1, 1<<20)
		case "n":
			err = within(name, p.N, 1, maxVertices)
		case "k":
			err = within(name, p.K, 1, maxVertices)
		case "rows":
			err = within(name, p.Rows, 1, maxVertices)
		case "cols":
			err = within(name, p.Cols, 1, maxVertices)
		case "p":
			if !(p.P >= 0 && p.P <= 1) {
				err = fmt.Errorf("%w: p %v: want 0 to 1", ErrParameter, p.P)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case k.Name == "smallworld" && (p.K%2 != 0 || p.K >= p.N):
		return nil, fmt.Errorf("%w: k %d: want an even number below n %d", ErrParameter, p.K, p.N)
	case k.vertices(p) > maxVertices:
		return nil, fmt.Errorf("%w: %.0f vertices: at most %d", ErrParameter, k.vertices(p), maxVertices)
	}
	return k.edges(p), nil
}

// vertices is the size of the vertex numbering, as a float64 so that it cannot overflow.
func (k Kind) vertices(p Parameters) float64 {
	switch k.Name {
	case "grid", "layered", "triangles", "dependencies":
		return float64(p.Rows) * float64(p.Cols)
	case "caterpillar":
		return float64(p.N) * (float64(p.K) + 1)
	case "diamonds":
		return 3*float64(p.N) + 1
	case "kron", "rmat", "er":
		return 0 // at most 2^31, and most vertices have no edge
	}
	return float64(p.N)
}

func within(name string, value, low, high int) error {
	if value < low || value > high {
		return fmt.Errorf("%w: %s %d: want %d to %d", ErrParameter, name, value, low, high)
	}
	return nil
}
