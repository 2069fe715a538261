package chains

import (
	"context"
	"math"

	"bcstage/internal/engine"
	"bcstage/internal/invariants"
)

// root is an anchor from which all junctions have been searched.
type root struct {
	from     uint32
	mass     float64   // as a source of the batch
	distance []int64   // by junction: in edges of the block, or in units of length
	sigma    []float64 // by junction: shortest paths from the root
	order    []uint32  // junctions by distance
	last     []uint32  // by junction: the last chain of its paths, or several
}

const (
	unreached = math.MaxInt64
	several   = math.MaxUint32
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
	}
}

// search finds distances and path counts from an anchor, and reports whether the
// counts stayed in range.
func (r *root) search(ctx context.Context, k *skeleton, q *queue, a anchor) (bool, error) {
	r.from, r.mass = a.junction, a.mass
	distance, sigma, last := r.distance, r.sigma, r.last
	for j := range distance {
		distance[j] = unreached
	}
	distance[r.from], sigma[r.from] = 0, 1
	q.reset(len(distance))
	q.push(0, unreached, r.from)
	r.order = q.pull(r.order[:0], distance)
	most := 0.0
	for i := 0; i < len(r.order); i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		x := r.order[i]
		now, paths := distance[x], sigma[x]
		if invariants.On {
			if err := invariants.Paths(x, paths); err != nil {
				return false, err
			}
		}
		most = max(most, paths)
		for _, arm := range k.arms[k.first[x]:k.first[x+1]] {
			there, old := now+arm.length, distance[arm.to]
			switch {
			case there < old:
				distance[arm.to], sigma[arm.to], last[arm.to] = there, paths, arm.chain
				q.push(there, old, arm.to)
			case there == old:
				sigma[arm.to] += paths
				last[arm.to] = several
			}
		}
		if i+1 == len(r.order) {
			r.order = q.pull(r.order, distance)
		}
	}
	return most <= engine.MostPaths, nil // four may be added up
}
