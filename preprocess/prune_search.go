package preprocess

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/nearest"
	"bcstage/internal/parallel"
)

// twoEnded is the state of one goroutine's searches. A search goes from a vertex forward as far
// as its longest open arc, or as far as the budget allows. Each of its arcs that is then open is
// searched from the other end, backward, until both searches together reach as far as the arc.
// Among vertices with many neighbours, two searches of half the length meet a small part of the
// vertices that one of the whole length meets. (I. Pohl, "Bi-directional search", Machine
// Intelligence 6 (1971).)
type twoEnded struct {
	*pruner
	ctx     context.Context
	found   []verdict // by arc of the graph
	forward bounded
	back    bounded
	steps   int
}

func newTwoEnded(ctx context.Context, p *pruner, found []verdict) *twoEnded {
	n := p.graph.Vertices()
	return &twoEnded{pruner: p, ctx: ctx, found: found, forward: newBounded(p.out, n), back: newBounded(p.in, n)}
}

// from records the verdicts on the arcs of s.
func (t *twoEnded) from(s uint32) {
	first, last := t.graph.Offsets[s], t.graph.Offsets[s+1]
	if !slices.Contains(t.known[first:last], undecided) {
		return
	}
	radius := t.ahead(s)
	for e := first; e < last; e++ {
		v, length := t.graph.Targets[e], t.graph.Lengths[e]
		switch {
		case t.known[e] != undecided:
		case t.forward.distance[v] < length:
			t.found[e] = needless
		case radius >= length:
			t.found[e] = needed
		case t.graph.Directed() || t.begins(s, v):
			t.found[e] = t.meet(v, length, radius)
		}
	}
	t.forward.clear()
}

// begins reports whether an edge of an undirected graph is searched forward from s. The end with
// more edges is, since that search serves all of them.
func (t *twoEnded) begins(s, v uint32) bool {
	if a, b := len(t.graph.Neighbours(s)), len(t.graph.Neighbours(v)); a != b {
		return a > b
	}
	return s < v
}

// ahead searches from s. All vertices nearer than the radius then have their distances.
func (t *twoEnded) ahead(s uint32) (radius int64) {
	b := &t.forward
	arcs := b.arcs
	first, last := arcs.offsets[s], arcs.offsets[s+1] // its arcs; none is open from last on
	b.reach(s, 0)
	for count := 0; len(b.queue) > 0; {
		at := b.queue.Pop()
		u := at.Vertex
		if at.Distance > b.distance[u] {
			continue
		}
		for last > first && (!arcs.open[last-1] || b.distance[arcs.targets[last-1]] < arcs.lengths[last-1]) {
			last--
		}
		if last == first || at.Distance >= arcs.lengths[last-1] || count == t.budget || t.stopped() {
			return at.Distance
		}
		count++
		limit := arcs.lengths[last-1]
		for e := arcs.offsets[u]; e < arcs.offsets[u+1]; e++ {
			d := at.Distance + arcs.lengths[e]
			if d > limit {
				break
			}
			if v := arcs.targets[e]; d < b.distance[v] {
				b.reach(v, d)
			}
		}
	}
	return math.MaxInt64
}

// meet searches backward from the far end of an arc of the given length. The forward search has
// all vertices nearer than radius. Any other vertex on a shorter path is nearer to this end than
// length - radius.
func (t *twoEnded) meet(v uint32, length, radius int64) verdict {
	b := &t.back
	defer b.clear()
	arcs := b.arcs
	b.reach(v, 0)
	for count := 0; len(b.queue) > 0; {
		at := b.queue.Pop()
		u := at.Vertex
		if at.Distance > b.distance[u] {
			continue
		}
		if count == t.budget || t.stopped() {
			return undecided
		}
		count++
		for e := arcs.offsets[u]; e < arcs.offsets[u+1]; e++ {
			d := at.Distance + arcs.lengths[e]
			if d >= length {
				break
			}
			w := arcs.targets[e]
			if t.forward.distance[w] < length-d {
				return needless
			}
			if d < length-radius && d < b.distance[w] {
				b.reach(w, d)
			}
		}
	}
	return needed
}

// stopped looks at the context from time to time.
func (t *twoEnded) stopped() bool {
	t.steps++
	return t.steps%parallel.Interval == 0 && t.ctx.Err() != nil
}

// bounded is a search from one end.
type bounded struct {
	arcs     *byLength
	distance []int64 // by vertex; math.MaxInt64: not met
	met      []uint32
	queue    nearest.Queue
}

func newBounded(arcs *byLength, n int) bounded {
	b := bounded{arcs: arcs, distance: make([]int64, n)}
	for v := range b.distance {
		b.distance[v] = math.MaxInt64
	}
	return b
}

func (b *bounded) reach(v uint32, distance int64) {
	if b.distance[v] == math.MaxInt64 {
		b.met = append(b.met, v)
	}
	b.distance[v] = distance
	b.queue.Push(distance, v)
}

func (b *bounded) clear() {
	for _, v := range b.met {
		b.distance[v] = math.MaxInt64
	}
	b.met, b.queue = b.met[:0], b.queue[:0]
}
