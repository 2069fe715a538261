// Package csr has the graph that everything is computed on: compressed sparse rows, an undirected
// edge in both, arcs both ways round, and lengths in whole units.
//
//	Graph     rows, neighbours, degrees; Check says whether it is one
//	Shadow    the undirected graph under a directed one
//	Turned,   copies: the other way round, or without some arcs
//	Without
//	SortRows  rows that were filled in any order
//
// Vertices are 32-bit numbers from 0, lengths 64-bit whole numbers of a unit that the question knows.
// A Graph is not written after it is made, and may be read by any goroutine. Package building
// makes one. Time and memory of what copies or checks are O(n + m); looking up an arc takes O(log d).
package csr

import (
	"errors"
	"math"

	"bcstage/internal/budget"
)

// MaxVertices is the largest number of vertices of a graph: products of two
// vertex counts must fit an int64, and devices index with 32 bits.
const MaxVertices = 1<<31 - 1

// ErrTooLarge says that a graph passes MaxVertices.
var ErrTooLarge = errors.New("graph has more than 2147483647 vertices")

// None marks a vertex without a number.
const None = math.MaxUint32

// Graph is a simple graph in compressed sparse rows: the neighbours of v are
// Targets[Offsets[v]:Offsets[v+1]], ascending, without v itself and without
// repeats. Every edge of an undirected graph is stored in both directions; the
// neighbours in a directed one are those that v's arcs lead to.
type Graph struct {
	Offsets []int64  // n+1
	Targets []uint32 // 2m; of a directed graph m

	// Lengths are those of the arcs, beside Targets, each at least 1; nil: every
	// arc has length 1. What they are multiples of is the question's affair.
	Lengths []int64

	// In is the same arcs the other way round, lengths included: its neighbours of
	// v are those whose arcs lead to v. Its own In is nil. nil: undirected.
	In *Graph
}

// Vertices is n.
func (g *Graph) Vertices() int { return max(len(g.Offsets)-1, 0) }

// Directed tells whether arcs have directions.
func (g *Graph) Directed() bool { return g.In != nil }

// HasLengths tells whether arcs have lengths of their own; else each is 1.
func (g *Graph) HasLengths() bool { return g.Lengths != nil }

// Edges is m: each undirected edge once, each arc of a directed graph once.
func (g *Graph) Edges() int64 {
	if g.In != nil {
		return int64(len(g.Targets))
	}
	return int64(len(g.Targets)) / 2
}

// Reverse is the graph with every arc the other way round: an undirected one is
// its own.
func (g *Graph) Reverse() *Graph {
	if g.In != nil {
		return g.In
	}
	return g
}

// LargestDegree is that of the vertex with most neighbours; 0 without vertices.
func (g *Graph) LargestDegree() int64 {
	largest := int64(0)
	for v := range g.Vertices() {
		largest = max(largest, g.Offsets[v+1]-g.Offsets[v])
	}
	return largest
}

// Neighbours of v, ascending. The slice is the graph's own.
func (g *Graph) Neighbours(v uint32) []uint32 { return g.Targets[g.Offsets[v]:g.Offsets[v+1]] }

// Ascends tells whether every arc leads to a larger number.
func (g *Graph) Ascends() bool {
	for v := range g.Vertices() {
		// Neighbours ascend, so that the first is the smallest.
		if first := g.Offsets[v]; first < g.Offsets[v+1] && int(g.Targets[first]) <= v {
			return false
		}
	}
	return true
}

// Held is the memory of the rows, either way.
func (g *Graph) Held() int64 {
	sum := budget.Held(g.Offsets) + budget.Held(g.Targets) + budget.Held(g.Lengths)
	if g.Directed() {
		sum += g.In.Held()
	}
	return sum
}

// Degrees by vertex.
func (g *Graph) Degrees() []uint32 {
	list := make([]uint32, g.Vertices())
	for v := range list {
		list[v] = uint32(g.Offsets[v+1] - g.Offsets[v])
	}
	return list
}

// longest is the limit of the longest path, as a power of two.
const LongestPath = 62
