package cpu

// near is a vertex at some distance.
type near struct {
	distance int64
	vertex   uint32
}

// nearest is a binary heap: the nearest vertex comes first.
type nearest []near

func (h *nearest) push(x near) {
	heap := append(*h, x)
	at := len(heap) - 1
	for at > 0 {
		up := (at - 1) / 2
		if heap[up].distance <= x.distance {
			break
		}
		heap[at], at = heap[up], up
	}
	heap[at] = x
	*h = heap
}

// pop takes the nearest vertex out; there must be one.
func (h *nearest) pop() near {
	heap := *h
	first, last := heap[0], heap[len(heap)-1]
	heap = heap[:len(heap)-1]
	*h = heap
	if len(heap) == 0 {
		return first
	}
	at := 0
	for {
		down := 2*at + 1
		if down >= len(heap) {
			break
		}
		if down+1 < len(heap) && heap[down+1].distance < heap[down].distance {
			down++
		}
		if heap[down].distance >= last.distance {
			break
		}
		heap[at], at = heap[down], down
	}
	heap[at] = last
	return first
}
