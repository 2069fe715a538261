package csr

import (
	"context"

	"bcstage/internal/parallel"
)

// Shadow is the undirected graph under a directed one: vertices are neighbours if
// an arc runs between them, in either direction or both. Components, blocks and
// folding use the shadow, since a simple path cannot leave a block and return,
// whatever the directions of its arcs. An undirected graph is its own shadow.
func (g *Graph) Shadow(ctx context.Context, threads int) (*Graph, error) {
	if !g.Directed() {
		return g, nil
	}
	n := g.Vertices()
	s := &Graph{Offsets: make([]int64, n+1)}
	err := parallel.Spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			s.Offsets[v+1] = int64(mergeRows(g.Neighbours(uint32(v)), g.In.Neighbours(uint32(v)), nil))
		}
	})
	if err != nil {
		return nil, err
	}
	for v := range n {
		s.Offsets[v+1] += s.Offsets[v]
	}
	s.Targets = make([]uint32, s.Offsets[n])
	return s, parallel.Spread(ctx, threads, n, 1<<12, func(lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			mergeRows(g.Neighbours(v), g.In.Neighbours(v), s.Neighbours(v))
		}
	})
}

// mergeRows writes the union of two ascending rows, ascending, unless to is nil,
// and counts it.
func mergeRows(a, b, to []uint32) (count int) {
	if len(a) > 0 && len(b) > 0 && b[len(b)-1] < a[0] {
		a, b = b, a
	}
	if len(a) == 0 || len(b) == 0 || a[len(a)-1] < b[0] {
		if to != nil {
			copy(to[copy(to, a):], b)
		}
		return len(a) + len(b)
	}
	for len(a) > 0 || len(b) > 0 {
		var least uint32
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			least, a = a[0], a[1:]
		case len(a) == 0 || b[0] < a[0]:
			least, b = b[0], b[1:]
		default:
			least, a, b = a[0], a[1:], b[1:]
		}
		if to != nil {
			to[count] = least
		}
		count++
	}
	return count
}

// Arc reports whether an arc runs from u to v.
func (g *Graph) Arc(u, v uint32) bool {
	return g.ArcTo(u, v) >= 0
}

// ArcTo returns the place of the arc from u to v, or -1.
func (g *Graph) ArcTo(u, v uint32) int64 {
	row, at := g.Neighbours(u), 0
	for left := len(row); left > 1; {
		half := left / 2
		further := (uint64(row[at+half]) - uint64(v) - 1) >> 63 // 1 if that is at most v: a branch could not be predicted
		at += half & -int(further)
		left -= half
	}
	if len(row) == 0 || row[at] != v {
		return -1
	}
	return g.Offsets[u] + int64(at)
}
