package chains

import (
	"context"
	"math"

	"bcstage/internal/invariants"
)

// root is an anchor from which all junctions have been searched.
type root struct {
	from     uint32
	mass     float64   // as a source of the batch
	distance []int32   // by junction, in edges of the block
	sigma    []float64 // by junction: shortest paths from the root
	order    []uint32  // junctions by distance
	last     []uint32  // by junction: the last chain of its paths, or several
}

const (
	unreached = math.MaxInt32
	several   = math.MaxUint32
	// mostPaths is the largest path count: the inverse of the sum of
	// four of them must be a normal number.
	mostPaths = 1e300
	// checkEvery is the number of junctions between two looks at the context.
	checkEvery = 4096
)

func newRoot(k *skeleton) *root {
	junctions := len(k.Junctions)
	return &root{
		distance: make([]int32, junctions),
		sigma:    make([]float64, junctions),
		order:    make([]uint32, 0, junctions),
		last:     make([]uint32, junctions),
	}
}

// search finds distances and path counts from an anchor, and reports whether the
// counts stayed in range.
func (r *root) search(ctx context.Context, k *skeleton, q *buckets, a anchor) (bool, error) {
	r.from, r.mass = a.junction, a.mass
	distance, sigma, last := r.distance, r.sigma, r.last
	for j := range distance {
		distance[j] = unreached
	}
	distance[r.from], sigma[r.from] = 0, 1
	r.order = r.order[:0]
	q.reset()
	q.push(r.from, 0)
	most := 0.0
	for now := int32(0); q.waiting > 0; now++ {
		for at := q.pull(now); at > 0; at = q.entries[at].next {
			q.waiting--
			x := q.entries[at].junction
			if distance[x] != now {
				continue
			}
			if len(r.order)%checkEvery == 0 && ctx.Err() != nil {
				return false, ctx.Err()
			}
			r.order = append(r.order, x)
			paths := sigma[x]
			if invariants.On {
				if err := invariants.Paths(x, paths); err != nil {
					return false, err
				}
			}
			most = max(most, paths)
			for _, arm := range k.arms[k.first[x]:k.first[x+1]] {
				there := now + arm.length
				if d := distance[arm.to]; there < d {
					distance[arm.to], sigma[arm.to], last[arm.to] = there, paths, arm.chain
					q.push(arm.to, there)
				} else if there == d {
					sigma[arm.to] += paths
					last[arm.to] = several
				}
			}
		}
	}
	return most <= mostPaths, nil
}

// buckets is a queue of junctions by distance (R. B. Dial, "Algorithm 360:
// shortest-path forest with topological ordering", CACM 12 (1969)). A junction
// reached again at a smaller distance is entered again. Its old entry is
// recognised by its distance.
type buckets struct {
	heads   []int32  // by distance, modulo their number: the last entry, or 0
	entries []queued // the first is none
	waiting int
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
	q.waiting = 0
}

func (q *buckets) push(junction uint32, distance int32) {
	head := &q.heads[int(distance)&(len(q.heads)-1)]
	q.entries = append(q.entries, queued{junction, *head})
	*head = int32(len(q.entries) - 1)
	q.waiting++
}

// pull empties the bucket of a distance and returns its last entry, or 0.
func (q *buckets) pull(distance int32) int32 {
	head := &q.heads[int(distance)&(len(q.heads)-1)]
	last := *head
	*head = 0
	return last
}
