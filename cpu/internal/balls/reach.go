package balls

import (
	"context"
	"math"
	"slices"

	"bcstage/cpu/internal/radix"
	"bcstage/preprocess"
)

// unreached is the distance of a vertex that no search has come to.
const unreached = math.MaxInt64

// checkEvery is how many vertices pass between two looks at the context.
const checkEvery = 1 << 12

// reacher finds what some sources of a block reach within its Cutoff, all together: the
// distance of a vertex is that from the nearest source. Between two searches no vertex has
// a distance, and the time of a search follows what it reaches.
type reacher struct {
	block    *preprocess.Block
	distance []int64  // by vertex, or unreached
	order    []uint32 // vertices that are reached, the nearest first
	queue    radix.Queue
}

// search finds the vertices. The only error is the context's.
func (r *reacher) search(ctx context.Context, b *preprocess.Block, sources []uint32) (err error) {
	if r.block != b {
		r.block, r.distance, r.order = b, slices.Repeat([]int64{unreached}, b.Vertices()), nil
	}
	for _, v := range r.order {
		r.distance[v] = unreached
	}
	r.order = r.order[:0]
	if !b.HasLengths() {
		err = r.byLevels(ctx, b, sources)
	} else {
		err = r.byLengths(ctx, b, sources)
	}
	if err != nil {
		r.block = nil // some have a distance that are not in order
	}
	return err
}

// byLevels searches breadth first.
func (r *reacher) byLevels(ctx context.Context, b *preprocess.Block, sources []uint32) error {
	for _, v := range sources {
		if r.distance[v] == unreached {
			r.distance[v] = 0
			r.order = append(r.order, v)
		}
	}
	for at := 0; at < len(r.order); at++ {
		if at%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := r.order[at]
		d := r.distance[v] + 1
		if d > int64(b.Cutoff) {
			break
		}
		for _, u := range b.Neighbours(v) {
			if r.distance[u] == unreached {
				r.distance[u] = d
				r.order = append(r.order, u)
			}
		}
	}
	return nil
}

// byLengths takes the nearest vertex from a queue, again and again.
func (r *reacher) byLengths(ctx context.Context, b *preprocess.Block, sources []uint32) error {
	r.queue.Reset(b.Vertices())
	for _, v := range sources {
		if r.distance[v] == unreached {
			r.distance[v] = 0
			r.queue.Push(0, v)
		}
	}
	limit := int64(b.Cutoff)
	for {
		if len(r.order)%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, more := r.queue.Pop(r.distance)
		if !more {
			r.sortTies()
			return nil
		}
		r.order = append(r.order, v)
		near, first, end := r.distance[v], b.Offsets[v], b.Offsets[v+1]
		lengths := b.Lengths[first:end]
		for i, u := range b.Targets[first:end] {
			old, d := r.distance[u], near+lengths[i]
			if d >= old || d > limit {
				continue
			}
			if old != unreached {
				r.queue.Drop(old, u)
			}
			r.distance[u] = d
			r.queue.Push(d, u)
		}
	}
}

// sortTies puts vertices at equal distances in the order of their numbers, so that the order does
// not depend on what lengths are multiples of.
func (r *reacher) sortTies() {
	for first, end := 0, 0; first < len(r.order); first = end {
		end = first + 1
		for end < len(r.order) && r.distance[r.order[end]] == r.distance[r.order[first]] {
			end++
		}
		if end > first+1 {
			slices.Sort(r.order[first:end])
		}
	}
}
