// Package testgraphs draws graphs for tests, as lists of edges. It imports none
// of the packages that it tests, so that all of them can use it.
package testgraphs

import (
	"math/rand/v2"
	"slices"
)

// Edge joins two vertices, which are numbered from 0.
type Edge = [2]uint32

// Join joins graphs that share vertex numbers.
func Join(parts ...[]Edge) []Edge { return slices.Concat(parts...) }

// Path joins from, from+1, ..., to.
func Path(from, to uint32) (edges []Edge) {
	for v := from; v < to; v++ {
		edges = append(edges, Edge{v, v + 1})
	}
	return edges
}

// Ring is a cycle of the k vertices from first on.
func Ring(first, k uint32) []Edge {
	return append(Path(first, first+k-1), Edge{first, first + k - 1})
}

// Band is a cycle of n vertices in which each every-th vertex is joined to the
// one reach further along. It is as deep as it is long, with many shortest paths.
func Band(n, every, reach uint32) []Edge {
	edges := Ring(0, n)
	for v := uint32(0); v < n; v += every {
		edges = append(edges, Edge{v, (v + reach) % n})
	}
	return edges
}

// Clique joins the k vertices from first on.
func Clique(first, k uint32) (edges []Edge) {
	for v := first; v < first+k; v++ {
		for u := first; u < v; u++ {
			edges = append(edges, Edge{u, v})
		}
	}
	return edges
}

// Star joins a centre to the leaves centre+1..centre+leaves.
func Star(centre, leaves uint32) (edges []Edge) {
	for v := centre + 1; v <= centre+leaves; v++ {
		edges = append(edges, Edge{centre, v})
	}
	return edges
}

// Hubs is a cycle of the vertices 0..rim-1, and hubs that are joined to all of
// them and not to each other.
func Hubs(hubs, rim uint32) []Edge {
	edges := Ring(0, rim)
	for hub := rim; hub < rim+hubs; hub++ {
		for v := range rim {
			edges = append(edges, Edge{v, hub})
		}
	}
	return edges
}

// Windmill is count cycles of k vertices that share vertex 0.
func Windmill(count, k uint32) (edges []Edge) {
	for i := range count {
		first := 1 + i*(k-1)
		edges = append(edges, Path(first, first+k-2)...)
		edges = append(edges, Edge{0, first}, Edge{0, first + k - 2})
	}
	return edges
}

// Grid has rows*columns vertices, row by row.
func Grid(rows, columns uint32) (edges []Edge) {
	for v := range rows * columns {
		if v%columns+1 < columns {
			edges = append(edges, Edge{v, v + 1})
		}
		if v/columns+1 < rows {
			edges = append(edges, Edge{v, v + columns})
		}
	}
	return edges
}

// Bipartite joins each of 0..a-1 to each of a..a+b-1.
func Bipartite(a, b uint32) (edges []Edge) {
	for u := range a {
		for v := a; v < a+b; v++ {
			edges = append(edges, Edge{u, v})
		}
	}
	return edges
}

// Layers joins each of depth layers of width vertices completely to the next:
// there are width^(depth-2) shortest paths from one end to the other.
func Layers(width, depth uint32) (edges []Edge) {
	for v := range width * (depth - 1) {
		for i := range width {
			edges = append(edges, Edge{v, (v/width+1)*width + i})
		}
	}
	return edges
}

// Diamonds is a chain of k squares joined at opposite corners, which are the
// vertices 0, 3, 6, ...: there are 2^k shortest paths from one end to the other.
func Diamonds(k uint32) (edges []Edge) {
	for i := range k {
		a := 3 * i
		edges = append(edges, Edge{a, a + 1}, Edge{a, a + 2}, Edge{a + 1, a + 3}, Edge{a + 2, a + 3})
	}
	return edges
}

// Random is connected: a random tree in which each vertex is joined to one at
// most reach before it, and extra edges, among them loops and repeats. With reach
// 1 the tree is a path; with n it is shallow.
func Random(r *rand.Rand, n, reach, extra int) (edges []Edge) {
	for v := 1; v < n; v++ {
		edges = append(edges, Edge{uint32(v), uint32(v - 1 - r.IntN(min(v, reach)))})
	}
	for range extra {
		edges = append(edges, Edge{uint32(r.IntN(n)), uint32(r.IntN(n))})
	}
	return edges
}

// Rows returns the neighbours of each of n vertices, ascending, without loops and
// repeats: those of v are targets[offsets[v]:offsets[v+1]].
func Rows(n int, edges []Edge) (offsets []int64, targets []uint32) {
	return OutRows(n, Join(edges, Reversed(edges)))
}

// Reversed returns the edges from their second end to the first.
func Reversed(edges []Edge) []Edge {
	reversed := make([]Edge, 0, len(edges))
	for _, e := range edges {
		reversed = append(reversed, Edge{e[1], e[0]})
	}
	return reversed
}

// OutRows returns the successors of each of n vertices, by arcs from their first
// end to the second: see Rows.
func OutRows(n int, arcs []Edge) (offsets []int64, targets []uint32) {
	rows := make([][]uint32, n)
	for _, e := range arcs {
		if e[0] != e[1] {
			rows[e[0]] = append(rows[e[0]], e[1])
		}
	}
	offsets = make([]int64, 1, n+1)
	for _, row := range rows {
		slices.Sort(row)
		targets = append(targets, slices.Compact(row)...)
		offsets = append(offsets, int64(len(targets)))
	}
	return offsets, targets
}

// Columns returns the ends of the edges as two columns.
func Columns(edges []Edge) (src, dst []uint64) {
	for _, e := range edges {
		src, dst = append(src, uint64(e[0])), append(dst, uint64(e[1]))
	}
	return src, dst
}
