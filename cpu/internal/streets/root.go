package streets

import (
	"context"
	"math"

	"bcstage/internal/invariants"
	"bcstage/internal/radix"
)

// root is an anchor from which all junctions have been searched.
type root struct {
	from     uint32
	mass     float64   // as a source of the batch
	distance []int64   // by junction
	sigma    []float64 // by junction: shortest paths from the root
	order    []uint32  // junctions by distance
	last     []uint32  // by junction: the last chain of its paths, or several
	met      []uint32  // junctions that have a distance
}

const (
	unreached = math.MaxInt64
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
		distance: make([]int64, junctions),
		sigma:    make([]float64, junctions),
		order:    make([]uint32, 0, junctions),
		last:     make([]uint32, junctions),
		met:      make([]uint32, 0, junctions),
	}
}

// until says where a search may end.
type until struct {
	farthest int64  // distance beyond which no path counts
	targets  []bool // by junction: paths to it count; nil: all paths count
	count    int    // number of targets
}

// everywhere returns an until that never ends a search early.
func everywhere() until { return until{farthest: unreached - 1} }

// search finds distances and path counts from an anchor, and reports whether the
// counts stayed in range. order gets all junctions that count, and others that are no farther.
func (r *root) search(ctx context.Context, k *skeleton, q *radix.Queue, a anchor, end until) (bool, error) {
	r.from, r.mass = a.junction, a.mass
	distance, sigma, last := r.distance, r.sigma, r.last
	if len(r.order) == 0 { // the first search
		for j := range distance {
			distance[j] = unreached
		}
	}
	for _, j := range r.met {
		distance[j] = unreached
	}
	distance[r.from], sigma[r.from] = 0, 1
	r.order, r.met = r.order[:0], append(r.met[:0], r.from)
	q.Reset(len(distance))
	q.Push(0, r.from)
	most := 0.0
	for {
		x, more := q.Pop(distance)
		if !more {
			return most <= mostPaths, nil
		}
		if len(r.order)%checkEvery == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		r.order = append(r.order, x)
		now, paths := distance[x], sigma[x]
		if invariants.On {
			if err := invariants.Paths(x, paths); err != nil {
				return false, err
			}
		}
		most = max(most, paths)
		if end.targets != nil && end.targets[x] && x != r.from {
			if end.count--; end.count == 0 {
				return most <= mostPaths, nil
			}
		}
		for _, arm := range k.arms[k.first[x]:k.first[x+1]] {
			there, old := now+arm.length, distance[arm.to]
			switch {
			case there > end.farthest:
			case there < old:
				if old != unreached {
					q.Drop(old, arm.to)
				} else {
					r.met = append(r.met, arm.to)
				}
				distance[arm.to], sigma[arm.to], last[arm.to] = there, paths, arm.chain
				q.Push(there, arm.to)
			case there == old:
				sigma[arm.to] += paths
				last[arm.to] = several
			}
		}
	}
}
