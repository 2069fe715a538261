package chains

import "bcstage/internal/radix"

// queue is a queue of junctions by distance: of chains counted in edges by steps, of chains with lengths by radix.Queue.
type queue struct {
	unit  bool
	steps buckets
	far   radix.Queue
}

// newQueue makes a queue for the junctions of a skeleton.
func newQueue(k *skeleton) queue {
	q := queue{unit: k.unit}
	if k.unit {
		q.steps = newBuckets(k.most)
	}
	return q
}

func (q *queue) reset(junctions int) {
	if q.unit {
		q.steps.reset()
	} else {
		q.far.Reset(junctions)
	}
}

// push enters a junction at a distance. old is its distance in the queue, or unreached.
func (q *queue) push(distance, old int64, junction uint32) {
	if q.unit {
		q.steps.push(distance, junction)
		return
	}
	if old != unreached {
		q.far.Drop(old, junction)
	}
	q.far.Push(distance, junction)
}

// pull takes junctions at the smallest distance and appends them to order: at least one, if there is one. distance is by
// junction.
func (q *queue) pull(order []uint32, distance []int64) []uint32 {
	if q.unit {
		return q.steps.pull(order, distance)
	}
	if junction, more := q.far.Pop(distance); more {
		order = append(order, junction)
	}
	return order
}

// buckets is a queue of junctions by distance (R. B. Dial, "Algorithm 360:
// shortest-path forest with topological ordering", CACM 12 (1969)). A junction
// reached again at a smaller distance is entered again. Its old entry is
// recognised by its distance.
type buckets struct {
	heads   []int32  // by distance, modulo their number: the last entry, or 0
	entries []queued // the first is none
	waiting int
	now     int64 // the smallest distance that may be waiting
}

// queued is a junction in a bucket.
type queued struct {
	junction uint32
	next     int32 // entry of the same distance, or 0
}

// newBuckets makes a queue for steps of at most longest.
func newBuckets(longest int) buckets {
	size := 1
	for size <= longest {
		size *= 2
	}
	return buckets{heads: make([]int32, size)}
}

func (q *buckets) reset() {
	clear(q.heads)
	q.entries = append(q.entries[:0], queued{})
	q.waiting, q.now = 0, 0
}

func (q *buckets) push(distance int64, junction uint32) {
	head := &q.heads[int(distance)&(len(q.heads)-1)]
	q.entries = append(q.entries, queued{junction, *head})
	*head = int32(len(q.entries) - 1)
	q.waiting++
}

// pull takes all junctions at the smallest distance.
func (q *buckets) pull(order []uint32, distance []int64) []uint32 {
	for before := len(order); len(order) == before && q.waiting > 0; q.now++ {
		head := &q.heads[int(q.now)&(len(q.heads)-1)]
		for at := *head; at > 0; {
			entry := q.entries[at]
			q.waiting--
			if distance[entry.junction] == q.now {
				order = append(order, entry.junction)
			}
			at = entry.next
		}
		*head = 0
	}
	return order
}
