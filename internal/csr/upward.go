package csr

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bcstage/internal/parallel"
)

// Upward has each edge once: of an undirected graph in the row of its smaller end, of a directed one in the row where it begins.
func (g *Graph) Upward() *Graph {
	if g.Directed() {
		return &Graph{Offsets: g.Offsets, Targets: g.Targets, Lengths: g.Lengths}
	}
	up := &Graph{Offsets: make([]int64, g.Vertices()+1), Targets: make([]uint32, 0, g.Edges())}
	if g.HasLengths() {
		up.Lengths = make([]int64, 0, g.Edges())
	}
	for v := range g.Vertices() {
		row := g.Neighbours(uint32(v))
		first, _ := slices.BinarySearch(row, uint32(v))
		up.Targets = append(up.Targets, row[first:]...)
		if g.HasLengths() {
			up.Lengths = append(up.Lengths, g.Lengths[g.Offsets[v]+int64(first):g.Offsets[v+1]]...)
		}
		up.Offsets[v+1] = int64(len(up.Targets))
	}
	return up
}

// BothWays returns the graph that Upward was made of, with memory of its own. The error is the context's, or says why g is not
// a result of Upward.
func (g *Graph) BothWays(ctx context.Context, directed bool) (*Graph, error) {
	n := g.Vertices()
	if len(g.Offsets) == 0 || g.Offsets[0] != 0 || g.Offsets[n] != int64(len(g.Targets)) || g.HasLengths() && len(g.Lengths) != len(g.Targets) {
		return nil, fmt.Errorf("edges: %d of %d vertices, %d lengths", len(g.Targets), n, len(g.Lengths))
	}
	arcs := len(g.Targets)
	if !directed {
		arcs *= 2
	}
	back := &Graph{Offsets: make([]int64, n+1), Targets: make([]uint32, arcs)}
	if g.HasLengths() {
		back.Lengths = make([]int64, arcs)
	}
	for v := range n {
		if v%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if g.Offsets[v+1] < g.Offsets[v] || g.Offsets[v+1] > int64(len(g.Targets)) {
			return nil, fmt.Errorf("vertex %d: its edges end at %d, begin at %d", v, g.Offsets[v+1], g.Offsets[v])
		}
		last := int64(v)
		if directed {
			last = -1
		}
		for arc := g.Offsets[v]; arc < g.Offsets[v+1]; arc++ {
			w := g.Targets[arc]
			if int64(w) <= last || int(w) >= n || int(w) == v {
				return nil, fmt.Errorf("vertex %d: neighbour %d after %d, of %d vertices", v, w, last, n)
			}
			if g.HasLengths() && g.Lengths[arc] < 1 {
				return nil, fmt.Errorf("vertex %d: length %d to %d", v, g.Lengths[arc], w)
			}
			last = int64(w)
			back.Offsets[w+1]++
		}
		if !directed {
			back.Offsets[v+1] += g.Offsets[v+1] - g.Offsets[v]
		}
	}
	for v := range n {
		back.Offsets[v+1] += back.Offsets[v]
	}
	next := slices.Clone(back.Offsets[:n])
	for v := range n { // ascending, so that a row has its smaller neighbours first, in order
		from, to := g.Offsets[v], g.Offsets[v+1]
		if !directed {
			copy(back.Targets[next[v]:], g.Targets[from:to])
			if g.HasLengths() {
				copy(back.Lengths[next[v]:], g.Lengths[from:to])
			}
		}
		for arc := from; arc < to; arc++ {
			at := &next[g.Targets[arc]]
			if back.Targets[*at] = uint32(v); g.HasLengths() {
				back.Lengths[*at] = g.Lengths[arc]
			}
			*at++
		}
	}
	if back.HasLengths() && back.LongestWalk() >= 1<<LongestPath {
		return nil, errors.New("edges: lengths have no room in sums")
	}
	if !directed {
		return back, nil
	}
	return &Graph{Offsets: slices.Clone(g.Offsets), Targets: slices.Clone(g.Targets), Lengths: slices.Clone(g.Lengths), In: back}, nil
}
