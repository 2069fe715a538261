package preprocess

import (
	"context"
	"math"

	"bcstage/internal/engine"
)

// Drawn sources of a deep block are searched in groups, one group of a batch after the other. The sources of a group
// should be as near one another as possible. Cutting in halves leaves slices as long as the region is wide: of 192
// sources in a road network, a vertex was visited 2.5 times per group of 16. So sources are exchanged between groups
// while that makes the groups more compact, which reduces it to 2.2 times. Compactness is the sum over sources of the
// squared distance to the middle of their group, as in k-means, but with groups of given size.
const (
	// regroupings is the number of passes over all sources. The first gives two thirds of the gain, the second most of
	// the rest.
	regroupings = 2
	// groupsAround is the number of groups before and behind a source's own with which it may be exchanged.
	groupsAround = 16
	// deep is the distance from which on sources are grouped.
	deep = 2 * shallow
	// regroupMost is the largest number of sources of a stage that is regrouped. In larger stages, groups lie in small
	// parts of a block, and visits become fewer by 1 % only.
	regroupMost = 1 << 10
	// fine is the number of steps per unit of distance to which the middle of a group is rounded.
	fine = 64
)

// place is a vertex's distances from the landmarks less their mean, or a sum of places.
type place [landmarks]int32

func (t *cutter) place(v uint32) (p place) {
	mean := int32(t.mean[v])
	for i, d := range t.of[v] {
		p[i] = int32(d) - mean
	}
	return p
}

func (p *place) times(q *place) (sum int64) {
	for i, x := range p {
		sum += int64(x) * int64(q[i])
	}
	return sum
}

// group is sources first..end-1 of a list.
type group struct {
	first, end int
	sum        place // of the places of its sources
	middle     place // fine times their mean
	norm       int64 // of the middle
}

func (g *group) settle() {
	for i, x := range g.sum {
		g.middle[i] = x * fine / int32(g.end-g.first)
	}
	g.norm = g.middle.times(&g.middle)
}

// from is the squared distance of a place from the middle, up to a term that is equal for all groups.
func (g *group) from(p *place) int64 { return g.norm - 2*fine*p.times(&g.middle) }

// regroup exchanges sources between the groups of some batches. Numbers are whole, or quotients of whole numbers, so
// that plans are equal everywhere. It stops early if the context ends. Time O(sources * groupsAround * landmarks).
func (t *cutter) regroup(ctx context.Context, sources []uint32, batches int) {
	var groups []group
	of := make([]int, len(sources))
	for i := range batches {
		first, end := batchBounds(len(sources), batches, i)
		for first < end {
			g := group{first: first, end: min(first+engine.DrawnLanes, end)}
			for at := range sources[g.first:g.end] {
				of[g.first+at] = len(groups)
				p := t.place(sources[g.first+at])
				for j, x := range p {
					g.sum[j] += x
				}
			}
			g.settle()
			groups = append(groups, g)
			first = g.end
		}
	}
	for range regroupings {
		for at, v := range sources {
			if ctx.Err() != nil {
				return
			}
			p, own := t.place(v), of[at]
			most, other := 0.0, at
			for i := max(0, own-groupsAround); i < min(len(groups), own+groupsAround+1); i++ {
				if g := &groups[i]; i != own && g.from(&p) < groups[own].from(&p) {
					for to := g.first; to < g.end; to++ {
						q := t.place(sources[to])
						if gain := groups[own].gain(&p, &q) + g.gain(&q, &p); gain > most {
							most, other = gain, to
						}
					}
				}
			}
			if other != at {
				q := t.place(sources[other])
				groups[own].swap(&p, &q)
				groups[of[other]].swap(&q, &p)
				sources[at], sources[other] = sources[other], v
			}
		}
	}
}

// gain is the decrease of a group's sum of squared distances if it has one place instead of another, up to terms that
// cancel between both groups of an exchange.
func (g *group) gain(without, with *place) float64 {
	sum := int64(0)
	for i, x := range with {
		d := int64(x - without[i])
		sum += d * (2*int64(g.sum[i]) + d)
	}
	return float64(sum) / float64(g.end-g.first)
}

func (g *group) swap(without, with *place) {
	for i, x := range with {
		g.sum[i] += x - without[i]
	}
	g.settle()
}

// lead puts first in every batch a source from which no other is far, with the others of its group. A search ranks
// vertices from the first source on. It sweeps levels repeatedly until it has met all sources, and about twice from
// there on (16.9 instead of 20.1 times in all in a stage of a sixteenth of a road network). Landmarks give a lower
// bound of the distance between two sources. It stops early if the context ends.
func (t *cutter) lead(ctx context.Context, sources []uint32, batches int) {
	for i := range batches {
		if ctx.Err() != nil {
			return
		}
		first, end := batchBounds(len(sources), batches, i)
		batch := sources[first:end]
		least, most := t.of[batch[0]], t.of[batch[0]]
		for _, v := range batch {
			for j, d := range t.of[v] {
				least[j], most[j] = min(least[j], d), max(most[j], d)
			}
		}
		full := batch[:max(min(engine.DrawnLanes, len(batch)), len(batch)/engine.DrawnLanes*engine.DrawnLanes)] // a smaller group stays last
		best, cost := 0, int64(math.MaxInt64)
		for at, v := range full {
			far, sum := int64(0), int64(0)
			for j, d := range t.of[v] {
				x := int64(max(most[j]-d, d-least[j]))
				far, sum = max(far, x), sum+x
			}
			if far = far<<32 + sum; far < cost {
				best, cost = at, far
			}
		}
		own := best / engine.DrawnLanes * engine.DrawnLanes
		batch[own], batch[best] = batch[best], batch[own]
		for k := range min(engine.DrawnLanes, own) {
			batch[k], batch[own+k] = batch[own+k], batch[k]
		}
	}
}
