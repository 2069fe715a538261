package change

import (
	"cmp"
	"context"
	"math"
	"math/bits"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
)

// lanes searches from up to 64 vertices at once, each a lane of words (M. Then et al., "The more the merrier: efficient
// multi-source graph traversal", VLDB 2014).
type lanes struct {
	seen, here, next  []uint64 // by vertex and lane
	met, level, later []uint32 // vertices seen, vertices of the level, and of the next
	arcs              int      // that a search followed
}

func newLanes(n int) *lanes {
	return &lanes{seen: make([]uint64, n), here: make([]uint64, n), next: make([]uint64, n)}
}

// search calls visit for the vertices of each level, with the lanes that reach a vertex there, and the lanes that did before. It ends before
// a level to which more says no.
func (l *lanes) search(ctx context.Context, g *csr.Graph, from []uint32, visit func(v uint32, level int64, fresh, before uint64), more func(level int64) bool) error {
	for _, v := range l.met {
		l.seen[v] = 0
	}
	for _, v := range l.level { // of the search before, which ended early
		l.next[v] = 0
	}
	l.met, l.level, l.arcs = l.met[:0], l.level[:0], 0
	for lane, v := range from {
		if l.next[v] == 0 {
			l.level = append(l.level, v)
		}
		l.next[v] |= 1 << lane
	}
	for level := int64(0); len(l.level) > 0 && more(level); level++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, v := range l.level { // the lanes that are new here
			fresh, before := l.next[v], l.seen[v]
			if before == 0 {
				l.met = append(l.met, v)
			}
			visit(v, level, fresh, before)
			l.seen[v] |= fresh
			l.here[v], l.next[v] = fresh, 0
		}
		l.later = l.later[:0]
		for _, u := range l.level {
			l.arcs += len(g.Neighbours(u))
			for _, v := range g.Neighbours(u) {
				if fresh := l.here[u] &^ l.seen[v]; fresh != 0 {
					if l.next[v] == 0 {
						l.later = append(l.later, v)
					}
					l.next[v] |= fresh
				}
			}
		}
		l.level, l.later = l.later, l.level
	}
	return nil
}

// sides searches from both ends of some edges: edge i has the lanes 2i and 2i+1 of a word.
//
// A vertex is nearer to one end by the length of the edge if shortest paths between it and the other end lead over the edge.
type sides struct {
	*lanes
	graph  *csr.Graph
	cutoff int64    // of paths over the edge
	nearer []uint64 // by vertex and lane: the vertex is nearer to this end, by the length of the edge

	byLength *searches.Search // of a graph with lengths
	far      [2][]int64       // by vertex: its distance from either end
}

// newSides makes sides by arcs of a graph. The cutoff is that of paths that count; 0: none.
func newSides(g *csr.Graph, cutoff int64) *sides {
	n := g.Vertices()
	s := &sides{graph: g, cutoff: cmp.Or(cutoff, math.MaxInt64), lanes: &lanes{}, nearer: make([]uint64, n)}
	if !g.HasLengths() {
		s.lanes = newLanes(n)
	} else {
		s.byLength = searches.New(g, searches.Options{Cutoff: s.cutoff})
		s.far = [2][]int64{make([]int64, n), make([]int64, n)}
	}
	return s
}

const firstEnds = 0x5555555555555555 // lanes 2i

// search finds the sides of some edges of a graph, which is s.graph or its reverse.
func (s *sides) search(ctx context.Context, g *csr.Graph, edges [][2]uint32) error {
	for _, v := range s.met {
		s.nearer[v] = 0
	}
	if s.byLength == nil {
		var ends []uint32
		for _, e := range edges {
			ends = append(ends, e[:]...)
		}
		return s.lanes.search(ctx, s.graph, ends, func(v uint32, _ int64, fresh, before uint64) {
			other := (fresh&firstEnds)<<1 | fresh>>1&firstEnds // the lanes of the other ends
			reached := (before&firstEnds)<<1 | before>>1&firstEnds
			s.nearer[v] |= fresh &^ other &^ reached
		}, func(level int64) bool { return level < s.cutoff }) // the edge is 1 more
	}
	s.met = s.met[:0]
	for i, e := range edges {
		if err := s.searchLengths(ctx, i, e, g.Length(e[0], e[1])); err != nil {
			return err
		}
	}
	return nil
}

// searchLengths finds the sides of edge i. Along arcs to its first end, what reaches that end reaches the second; along arcs away,
// what the second end reaches the first one does. The distances of others may be of an earlier edge, and then the lane
// is not used.
func (s *sides) searchLengths(ctx context.Context, i int, e [2]uint32, length int64) error {
	var reached [2]searches.Rows
	for end := range e {
		err := s.byLength.Run(ctx, e[end:end+1], func(rows searches.Rows) error {
			for at, v := range rows.Vertices {
				s.far[end][v] = rows.Distances[at]
			}
			reached[end] = rows
			return nil
		})
		if err != nil {
			return err
		}
	}
	for end, rows := range reached {
		for _, v := range rows.Vertices {
			if s.far[1-end][v]-s.far[end][v] == length && s.far[1-end][v] <= s.cutoff {
				if s.nearer[v] == 0 {
					s.met = append(s.met, v)
				}
				s.nearer[v] |= 1 << (2*i + end)
			}
		}
	}
	return nil
}

// addSources adds to a cover all sources of paths over the edges: those nearer to the first end, found along arcs to it, and
// without directions those nearer to the second.
func addSources(near *sides, ends []bool, from Cover) {
	lanes := uint64(firstEnds)
	if !near.graph.Directed() {
		lanes = math.MaxUint64
	}
	for _, v := range near.met {
		if near.nearer[v]&lanes != 0 && (ends == nil || ends[v]) {
			from[v] = true
		}
	}
}

// addSmaller adds the smaller side of each edge to its cover: the vertices nearer to the first end, found along arcs to it, or those
// nearer to the second, found along arcs away from it. Only ends count. It leaves out, and returns, edges whose sides both have more than
// few.
func addSmaller(near, far *sides, edges int, ends [2][]bool, from, to Cover, few int) (left []int) {
	var sizes [64]int
	each := func(side *sides, ends []bool, lanes uint64, visit func(v uint32, lanes uint64)) {
		for _, v := range side.met {
			if ends == nil || ends[v] {
				visit(v, side.nearer[v]&lanes)
			}
		}
	}
	size := func(_ uint32, lanes uint64) {
		for ; lanes != 0; lanes &= lanes - 1 {
			sizes[bits.TrailingZeros64(lanes)]++
		}
	}
	each(near, ends[0], firstEnds, size)
	each(far, ends[1], firstEnds<<1, size)
	wanted := uint64(0)
	for i := range edges {
		switch first, second := sizes[2*i], sizes[2*i+1]; {
		case min(first, second) > few:
			left = append(left, i)
		case first <= second:
			wanted |= 1 << (2 * i)
		default:
			wanted |= 2 << (2 * i)
		}
	}
	add := func(cover Cover) func(uint32, uint64) {
		return func(v uint32, lanes uint64) { cover[v] = cover[v] || lanes != 0 }
	}
	each(near, ends[0], firstEnds&wanted, add(from))
	each(far, ends[1], firstEnds<<1&wanted, add(to))
	return left
}
