// Package csr has the graph that everything is computed on: compressed sparse rows, with an
// undirected edge in both rows, arcs both ways round, and lengths in whole units.
//
//	Graph     rows, neighbours, degrees; Check checks its invariants
//	Shadow    the undirected graph under a directed one
//	Turned,   copies: the other way round, or without some arcs
//	Without
//	Chains    a graph as junctions and the paths between them
//	Nearby    an order of vertices whose runs are compact
//	SortRows  rows that were filled in any order
//
// Vertices are 32-bit numbers from 0, lengths 64-bit whole numbers of a unit that the question
// defines. A Graph is not written after it is made, and may be read by any goroutine. Package
// building makes one. Copies and checks take O(n + m) time and memory; looking up an arc takes O(log
// d).
package csr

import (
	"context"
	"errors"
	"math"
	"slices"

	"bcstage/internal/budget"
	"bcstage/internal/parallel"
)

// MaxVertices is the largest number of vertices of a graph: products of two
// vertex counts must fit an int64, and devices index with 32 bits.
const MaxVertices = 1<<31 - 1

// ErrTooLarge says that a graph exceeds MaxVertices.
var ErrTooLarge = errors.New("graph has more than 2147483647 vertices")

// Ascending returns the numbers of n vertices, or of n rows, in their order.
func Ascending(n int) []uint32 {
	numbers := make([]uint32, n)
	for v := range numbers {
		numbers[v] = uint32(v)
	}
	return numbers
}

// Group sorts the places of a list by their keys, which are below count. Those of key k are places[first[k]:first[k+1]],
// ascending.
func Group(keys []uint32, count int) (first, places []uint32) {
	first, places = make([]uint32, count+1), make([]uint32, len(keys))
	for _, k := range keys {
		first[k+1]++
	}
	for k := range count {
		first[k+1] += first[k]
	}
	next := slices.Clone(first)
	for i, k := range keys {
		places[next[k]] = uint32(i)
		next[k]++
	}
	return first, places
}

// Pick returns the elements at some places of a list; nil of nil.
func Pick[S ~[]E, E any](list S, places []uint32) S {
	if list == nil {
		return nil
	}
	picked := make(S, len(places))
	for i, at := range places {
		picked[i] = list[at]
	}
	return picked
}

// None marks a vertex without a number.
const None = math.MaxUint32

// Graph is a simple graph in compressed sparse rows: the neighbours of v are
// Targets[Offsets[v]:Offsets[v+1]], ascending, without v itself and without repeats. Every edge of an
// undirected graph is stored in both directions. In a directed graph, neighbours are successors.
type Graph struct {
	Offsets []int64  // n+1
	Targets []uint32 // 2m; of a directed graph m

	// Lengths are those of the arcs, parallel to Targets, each at least 1; nil: every arc has length
	// 1. The question defines their unit.
	Lengths []int64

	// In is the same arcs the other way round, lengths included: its neighbours of v are the
	// predecessors of v. Its own In is nil. nil: undirected.
	In *Graph
}

// Vertices returns n.
func (g *Graph) Vertices() int { return max(len(g.Offsets)-1, 0) }

// Directed reports whether arcs have directions.
func (g *Graph) Directed() bool { return g.In != nil }

// HasLengths reports whether arcs have lengths of their own; else each is 1.
func (g *Graph) HasLengths() bool { return g.Lengths != nil }

// Edges returns m: each undirected edge once, each arc of a directed graph once.
func (g *Graph) Edges() int64 {
	if g.In != nil {
		return int64(len(g.Targets))
	}
	return int64(len(g.Targets)) / 2
}

// Reverse returns the graph with every arc the other way round; an undirected one is its own reverse.
func (g *Graph) Reverse() *Graph {
	if g.In != nil {
		return g.In
	}
	return g
}

// BreadthFirst appends to a list of vertices all others that they reach, in breadth-first order. met marks the vertices of the
// list, and vertices that the search must not enter. The only error is the context's.
func (g *Graph) BreadthFirst(ctx context.Context, list []uint32, met []bool) ([]uint32, error) {
	for at := 0; at < len(list); at++ {
		if at%parallel.Interval == 0 && ctx.Err() != nil {
			return list, ctx.Err()
		}
		for _, u := range g.Neighbours(list[at]) {
			if !met[u] {
				met[u] = true
				list = append(list, u)
			}
		}
	}
	return list, nil
}

// LargestDegree returns the degree of the vertex with most neighbours; 0 without vertices.
func (g *Graph) LargestDegree() int64 {
	largest := int64(0)
	for v := range g.Vertices() {
		largest = max(largest, g.Offsets[v+1]-g.Offsets[v])
	}
	return largest
}

// Neighbours returns those of v, ascending. The slice is the graph's own.
func (g *Graph) Neighbours(v uint32) []uint32 { return g.Targets[g.Offsets[v]:g.Offsets[v+1]] }

// TwoWay reports whether each arc of v, a vertex of a directed graph, has its reverse, as long and as often.
func (g *Graph) TwoWay(v uint32) bool {
	lo, hi, at := g.Offsets[v], g.Offsets[v+1], g.In.Offsets[v]
	return slices.Equal(g.Neighbours(v), g.In.Neighbours(v)) && (!g.HasLengths() || slices.Equal(g.Lengths[lo:hi], g.In.Lengths[at:at+hi-lo]))
}

// ArcsOf counts the arcs that leave some vertices.
func (g *Graph) ArcsOf(vertices []uint32, threads int) int64 {
	return parallel.Total(threads, len(vertices), parallel.Interval, func(lo, hi int) (arcs int64) {
		for _, v := range vertices[lo:hi] {
			arcs += g.Offsets[v+1] - g.Offsets[v]
		}
		return arcs
	})
}

// Ascends reports whether every arc leads to a larger number.
func (g *Graph) Ascends() bool {
	for v := range g.Vertices() {
		// Neighbours ascend, so the first is the smallest.
		if first := g.Offsets[v]; first < g.Offsets[v+1] && int(g.Targets[first]) <= v {
			return false
		}
	}
	return true
}

// Knots returns, by vertex, the first of its knot plus one, or 0 outside, and the number of arcs inside knots; nil if
// arcs ascend. A knot is a range of numbers that descending arcs join: an arc from v to a smaller u joins all from u to
// v. In topological order of strong components, knots are the components of several vertices.
func Knots(g *Graph) (of []uint32, inside int) {
	if g.Ascends() {
		return nil, 0
	}
	of = make([]uint32, g.Vertices())
	g.eachKnot(func(first, end int) bool {
		for x := first; x < end; x++ {
			of[x] = uint32(first) + 1
		}
		inside += g.inside(first, end, math.MaxInt)
		return true
	})
	return of, inside
}

// eachKnot calls visit for the knots, the last first, with the numbers first..end-1 of each, until it returns false.
func (g *Graph) eachKnot(visit func(first, end int) bool) {
	for v := g.Vertices() - 1; v >= 0; v-- {
		end, first := v+1, v
		for ; v >= first; v-- {
			if row := g.Neighbours(uint32(v)); len(row) > 0 {
				first = min(first, int(row[0])) // neighbours ascend
			}
		}
		if v = first; end-first > 1 && !visit(first, end) {
			return
		}
	}
}

// inside counts the arcs of a knot that stay there, and stops beyond most.
func (g *Graph) inside(first, end, most int) (arcs int) {
	for x := first; x < end && arcs <= most; x++ {
		for _, y := range g.Neighbours(uint32(x)) {
			if int(y) < end {
				arcs++
			}
		}
	}
	return arcs
}

// FewInside returns the largest number of arcs inside knots with which searches in topological order pay. Measured:
// docs/decisions/042-small-cycles.md.
func (g *Graph) FewInside() int {
	const share, shareLengths = 20, 8 // other searches by lengths take longer
	if g.HasLengths() {
		return len(g.Targets) / shareLengths
	}
	return len(g.Targets) / share
}

// NearlyAscends reports whether few arcs are inside knots. Of other graphs it looks at few arcs.
func NearlyAscends(g *Graph) bool {
	left := g.FewInside()
	g.eachKnot(func(first, end int) bool {
		left -= g.inside(first, end, left)
		return left >= 0
	})
	return left >= 0
}

// Held returns the memory of the rows, in both directions.
func (g *Graph) Held() int64 {
	sum := budget.Held(g.Offsets) + budget.Held(g.Targets) + budget.Held(g.Lengths)
	if g.Directed() {
		sum += g.In.Held()
	}
	return sum
}

// Degrees returns the degrees by vertex.
func (g *Graph) Degrees() []uint32 {
	list := make([]uint32, g.Vertices())
	for v := range list {
		list[v] = uint32(g.Offsets[v+1] - g.Offsets[v])
	}
	return list
}

// LongestPath is the limit of the longest path, as a power of two.
const LongestPath = 62
