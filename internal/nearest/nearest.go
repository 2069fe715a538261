// Package nearest orders vertices by distance, for searches along arcs with
// lengths: E. W. Dijkstra, "A note on two problems in connexion with graphs",
// Numerische Mathematik 1 (1959).
//
// A vertex is pushed again whenever its distance falls. The caller of Pop skips
// vertices whose distance has fallen since. Each step takes O(log n).
package nearest

// Vertex at some distance.
type Vertex struct {
	Distance int64
	Vertex   uint32
}

// Queue returns vertices nearest first. It is a binary heap; the zero value is
// empty.
type Queue []Vertex

// Push adds a vertex.
func (q *Queue) Push(distance int64, vertex uint32) {
	heap := append(*q, Vertex{})
	at := len(heap) - 1
	for at > 0 {
		up := (at - 1) / 2
		if heap[up].Distance <= distance {
			break
		}
		heap[at], at = heap[up], up
	}
	heap[at] = Vertex{distance, vertex}
	*q = heap
}

// Pop removes and returns the nearest vertex; there must be one.
func (q *Queue) Pop() Vertex {
	heap := *q
	first, last := heap[0], heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	*q = heap
	if len(heap) == 0 {
		return first
	}
	at := 0
	for {
		down := 2*at + 1
		if down >= len(heap) {
			break
		}
		if down+1 < len(heap) && heap[down+1].Distance < heap[down].Distance {
			down++
		}
		if heap[down].Distance >= last.Distance {
			break
		}
		heap[at], at = heap[down], down
	}
	heap[at] = last
	return first
}
