package streets

// queue is a heap of junctions by distance, four below each. A junction that is reached by a shorter path is entered
// again: its old entry has another distance than the junction.
type queue []uint64 // distance and junction

func (q *queue) push(distance, junction uint32) {
	entry := uint64(distance)<<32 | uint64(junction)
	*q = append(*q, entry)
	h := *q
	at := len(h) - 1
	for at > 0 {
		above := (at - 1) / 4
		if h[above] <= entry {
			break
		}
		h[at] = h[above]
		at = above
	}
	h[at] = entry
}

// pop takes the entry with the smallest distance.
func (q *queue) pop() (distance, junction uint32) {
	h := *q
	first, last := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	at := 0
	for {
		least := 4*at + 1
		if least >= len(h) {
			break
		}
		for i := least + 1; i < min(4*at+5, len(h)); i++ {
			if h[i] < h[least] {
				least = i
			}
		}
		if last <= h[least] {
			break
		}
		h[at] = h[least]
		at = least
	}
	if len(h) > 0 {
		h[at] = last
	}
	return uint32(first >> 32), uint32(first)
}
