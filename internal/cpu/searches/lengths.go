package searches

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/nearest"
	"bcstage/internal/pages"
)

// lengths is Dijkstra's algorithm, see package nearest. Lengths are at least 1, so
// all paths to a vertex are counted before it is settled.
type lengths struct {
	distance []int64 // by vertex; unreached: not met
	counts   []float64
	queue    nearest.Queue
	ready    bool // no vertex is marked as met
}

const unreached = math.MaxInt64

func (l *lengths) search(ctx context.Context, g *csr.Graph, source uint32, o Options) (rows Rows, err error) {
	n := g.Vertices()
	if !l.ready {
		l.distance = pages.Resize(l.distance, n)
		for v := range l.distance {
			l.distance[v] = unreached
		}
	}
	l.ready = false
	if o.Paths {
		l.counts = pages.Resize(l.counts, n) // of met vertices, set when they are met
		l.counts[source] = 1
	}
	l.distance[source] = 0
	l.queue = l.queue[:0]
	l.queue.Push(0, source)
	for steps := 0; len(l.queue) > 0; steps++ {
		if steps%every == 0 && ctx.Err() != nil {
			return Rows{}, ctx.Err()
		}
		at := l.queue.Pop()
		if l.distance[at.Vertex] != at.Distance {
			continue // its distance has fallen since
		}
		rows.Vertices, rows.Distances = append(rows.Vertices, at.Vertex), append(rows.Distances, at.Distance)
		for i := g.Offsets[at.Vertex]; i < g.Offsets[at.Vertex+1]; i++ {
			v, far := g.Targets[i], at.Distance+g.Lengths[i]
			switch {
			case far > o.Cutoff || far > l.distance[v]:
			case far < l.distance[v]:
				l.distance[v] = far
				l.queue.Push(far, v)
				if o.Paths {
					l.counts[v] = l.counts[at.Vertex]
				}
			case o.Paths:
				l.counts[v] += l.counts[at.Vertex]
			}
		}
	}
	for first, end := 0, 0; first < len(rows.Vertices); first = end { // the queue has no order for ties
		for end = first; end < len(rows.Vertices) && rows.Distances[end] == rows.Distances[first]; {
			end++
		}
		slices.Sort(rows.Vertices[first:end])
	}
	if o.Paths {
		rows.Paths = make([]float64, len(rows.Vertices))
		for i, v := range rows.Vertices {
			rows.Paths[i] = l.counts[v]
		}
	}
	if l.ready = len(rows.Vertices) < n/denseVertices; l.ready {
		for _, v := range rows.Vertices {
			l.distance[v] = unreached
		}
	}
	return rows, nil
}
