package searches

import (
	"context"
	"math"

	"bcstage/preprocess"
)

// lengths is Dijkstra's algorithm, with a binary heap that holds a vertex as often
// as its distance has come down: E. W. Dijkstra, "A note on two problems in
// connexion with graphs", 1959. Lengths are at least 1, so that the paths to a
// vertex are all counted before it is settled.
type lengths struct {
	distance []int64 // by vertex; unreached: not met
	counts   []float64
	heap     []open
}

// open is a vertex at a distance from the source.
type open struct {
	distance int64
	vertex   uint32
}

const unreached = math.MaxInt64

func (a open) before(b open) bool {
	return a.distance < b.distance || a.distance == b.distance && a.vertex < b.vertex
}

func (l *lengths) search(ctx context.Context, g *preprocess.Graph, source uint32, o Options) (rows Rows, err error) {
	n := g.Vertices()
	l.distance = cleared(l.distance, n)
	for v := range l.distance {
		l.distance[v] = unreached
	}
	if o.Paths {
		l.counts = cleared(l.counts, n)
		l.counts[source] = 1
	}
	l.distance[source] = 0
	l.heap = append(l.heap[:0], open{0, source})
	for steps := 0; len(l.heap) > 0; steps++ {
		if steps%every == 0 && ctx.Err() != nil {
			return Rows{}, ctx.Err()
		}
		at := l.pop()
		if l.distance[at.vertex] != at.distance {
			continue // it has come down since
		}
		rows.Vertices, rows.Distances = append(rows.Vertices, at.vertex), append(rows.Distances, at.distance)
		for i := g.Offsets[at.vertex]; i < g.Offsets[at.vertex+1]; i++ {
			v, far := g.Targets[i], at.distance+g.Lengths[i]
			switch {
			case far > o.Cutoff || far > l.distance[v]:
			case far < l.distance[v]:
				l.distance[v] = far
				l.push(open{far, v})
				if o.Paths {
					l.counts[v] = l.counts[at.vertex]
				}
			case o.Paths:
				l.counts[v] += l.counts[at.vertex]
			}
		}
	}
	if o.Paths {
		rows.Paths = make([]float64, len(rows.Vertices))
		for i, v := range rows.Vertices {
			rows.Paths[i] = l.counts[v]
		}
	}
	return rows, nil
}

func (l *lengths) push(x open) {
	l.heap = append(l.heap, x)
	i := len(l.heap) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !x.before(l.heap[parent]) {
			break
		}
		l.heap[i] = l.heap[parent]
		i = parent
	}
	l.heap[i] = x
}

func (l *lengths) pop() open {
	top, last := l.heap[0], l.heap[len(l.heap)-1]
	l.heap = l.heap[:len(l.heap)-1]
	for i := 0; len(l.heap) > 0; {
		child := 2*i + 1
		if child+1 < len(l.heap) && l.heap[child+1].before(l.heap[child]) {
			child++
		}
		if child >= len(l.heap) || !l.heap[child].before(last) {
			l.heap[i] = last
			break
		}
		l.heap[i] = l.heap[child]
		i = child
	}
	return top
}
