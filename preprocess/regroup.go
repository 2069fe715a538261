package preprocess

import (
	"context"
	"math"
)

// Drawn sources of a deep block are searched some of a batch after the others, and those together
// should be as near one another as they can be. Cutting in halves leaves slices, as long as
// the region is wide: of 192 sources in a road network, a vertex was visited 2.5 times for 16 of
// them. So sources change places between groups while that makes groups more compact
// (the sum over sources of the squared distance to the middle of their group, as k-means has it, but with
// groups of given size): 2.2 times then.
const (
	// DrawnLanes is how many drawn sources of a deep block the CPU engine searches together.
	DrawnLanes = 16
	// regroupings is how often every source is looked at. The first time gives two thirds
	// of what can be had, the second most of the rest.
	regroupings = 2
	// groupsAround is how many groups before and behind a source's own it may change to.
	groupsAround = 16
	// deep is the distance from which on a block is searched so.
	deep = 2 * shallow
	// regroupMost is how many sources a stage has at most where that is done: of larger stages, groups lie in
	// small parts of a block, and visits become fewer by 1 % only.
	regroupMost = 1 << 10
	// fine is how many steps a distance has where the middle of a group is rounded.
	fine = 64
)

// place is a vertex's distances from the landmarks less their mean, or a sum of such.
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
	sum        place // of their places
	middle     place // fine times their mean
	norm       int64 // of the middle
}

func (g *group) settle() {
	for i, x := range g.sum {
		g.middle[i] = x * fine / int32(g.end-g.first)
	}
	g.norm = g.middle.times(&g.middle)
}

// from is how far a place is from the middle, squared, but for what is the same from all groups.
func (g *group) from(p *place) int64 { return g.norm - 2*fine*p.times(&g.middle) }

// regroup lets the sources of some batches change places. Numbers are whole, or quotients
// of such, so that plans are equal everywhere. It stops early if the context ends. Time O(sources * groupsAround * landmarks).
func (t *cutter) regroup(ctx context.Context, sources []uint32, batches int) {
	var groups []group
	of := make([]int, len(sources))
	for i := range batches {
		first, end := batchBounds(len(sources), batches, i)
		for first < end {
			g := group{first: first, end: min(first+DrawnLanes, end)}
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

// gain is by how much the squared distances of a group become less if it has one place
// instead of another, but for what both groups of an exchange gain or lose alike.
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

// lead has every batch begin with a source from which no other is far, and the others of its group: a search ranks
// vertices from the first source on, and finds levels again and again until it has met all sources, but about
// twice from there on (16.9 instead of 20.1 times in all in a stage of a sixteenth of a road network). Of two
// sources, the landmarks say how far apart they are at least. It stops early if the context ends.
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
		full := batch[:max(min(DrawnLanes, len(batch)), len(batch)/DrawnLanes*DrawnLanes)] // a smaller group stays last
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
		own := best / DrawnLanes * DrawnLanes
		batch[own], batch[best] = batch[best], batch[own]
		for k := range min(DrawnLanes, own) {
			batch[k], batch[own+k] = batch[own+k], batch[k]
		}
	}
}
