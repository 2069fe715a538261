package csr

import (
	"fmt"
	"slices"
)

// Check checks the invariants of Graph: offsets that rise from 0 to the number of
// targets, rows that ascend without the vertex itself, and each edge in both rows,
// with one length; in a directed graph, in its own row and in In's. It takes O(m
// log d) time.
func (g *Graph) Check() error {
	if !g.Directed() {
		return g.checkRows(g)
	}
	if g.In.Directed() || g.In.Vertices() != g.Vertices() || len(g.In.Targets) != len(g.Targets) {
		return fmt.Errorf("%d vertices and %d arcs, the other way round %d and %d", g.Vertices(), len(g.Targets), g.In.Vertices(), len(g.In.Targets))
	}
	if err := g.In.checkRows(g); err != nil {
		return fmt.Errorf("the other way round: %w", err)
	}
	return g.checkRows(g.In)
}

// checkRows checks the rows, and that back has every edge the other way.
func (g *Graph) checkRows(back *Graph) error {
	n := g.Vertices()
	if len(g.Offsets) != n+1 || g.Offsets[0] != 0 || g.Offsets[n] != int64(len(g.Targets)) {
		return fmt.Errorf("%d offsets do not span %d targets", len(g.Offsets), len(g.Targets))
	}
	if g.HasLengths() && len(g.Lengths) != len(g.Targets) || (!back.HasLengths()) != (!g.HasLengths()) {
		return fmt.Errorf("%d targets, %d lengths, %d back", len(g.Targets), len(g.Lengths), len(back.Lengths))
	}
	for v := range n {
		if g.Offsets[v] > g.Offsets[v+1] {
			return fmt.Errorf("offsets fall from %d to %d at vertex %d", g.Offsets[v], g.Offsets[v+1], v)
		}
	}
	for v := range uint32(n) {
		row := g.Neighbours(v)
		for i, u := range row {
			if int(u) >= n || u == v || i > 0 && row[i-1] >= u {
				return fmt.Errorf("vertex %d: neighbour %d at place %d", v, u, i)
			}
			at, found := slices.BinarySearch(back.Neighbours(u), v)
			if !found {
				return fmt.Errorf("edge %d, %d has no way back", v, u)
			}
			if !g.HasLengths() {
				continue
			}
			if there, back := g.Lengths[g.Offsets[v]+int64(i)], back.Lengths[back.Offsets[u]+int64(at)]; there < 1 || there != back {
				return fmt.Errorf("edge %d, %d has length %d there and %d back", v, u, there, back)
			}
		}
	}
	return nil
}

// CheckRow checks the row of a vertex, whose neighbours must ascend, or may also repeat, and its
// lengths, if there are any. It does not check that the neighbours have the vertex
// in their rows.
func (g *Graph) CheckRow(v, vertices int, repeats bool) error {
	from, to := g.Offsets[v], g.Offsets[v+1]
	if from < 0 || from > to || to > int64(len(g.Targets)) {
		return fmt.Errorf("vertex %d: neighbours %d to %d of %d", v, from, to, len(g.Targets))
	}
	before := -1
	for _, u := range g.Targets[from:to] {
		if int(u) < before || int(u) == before && !repeats || int(u) >= g.Vertices() || int(u) == v {
			return fmt.Errorf("vertex %d: neighbour %d", v, u)
		}
		before = int(u)
	}
	if !g.HasLengths() {
		return nil
	}
	for _, length := range g.Lengths[from:to] {
		if length < 1 || length > 1<<LongestPath/int64(max(vertices-1, 1)) { // no path has more arcs
			return fmt.Errorf("vertex %d: length %d", v, length)
		}
	}
	return nil
}
