package chains

import "bcstage/internal/wholes"

// cycle is a chain and the shortest paths between its ends outside it. Two places
// of the chain, ends included, are joined inside the chain if they are less than half the cycle
// apart. They are joined outside if they are more than half apart, and by both if they
// are opposite. If the chain itself is a shortest path between its
// ends, the cycle counts as twice the chain; then only the ends
// are opposite. (The chain may be longer than the path outside. The path outside may also be
// one or more chains of equal length.)
type cycle struct {
	length   int64
	opposite float64 // share of the paths between opposite places that leaves the chain
}

// newCycle makes the cycle of a chain of the given length. apart is the distance of its ends, and
// paths the number of shortest paths between them.
func newCycle(length, apart int64, paths float64) cycle {
	_, outside := shares(1, paths)
	return cycle{length + apart, outside}
}

// leaving returns the share of the paths between two places that leaves the chain. distance is
// their distance along the chain.
func (c *cycle) leaving(distance int64) float64 {
	switch {
	case 2*distance < c.length:
		return 0
	case 2*distance == c.length:
		return c.opposite
	}
	return 1
}

// reach says which places are joined to a place only inside the chain: the places
// before..after. Place before-1 is opposite if tiedBefore is 1, and
// place after+1 if tiedAfter is 1.
type reach struct{ before, after, tiedBefore, tiedAfter int }

// reaches finds the reach of every place in linear time. Place 0 is u.
func (c *cycle) reaches(position []int64, to []reach) {
	last := len(position) - 1
	before, after := 0, 0
	for i, at := range position {
		for 2*(at-position[before]) >= c.length {
			before++
		}
		for after < last && 2*(position[after+1]-at) < c.length {
			after++
		}
		r := reach{before: before, after: after}
		if before > 0 && 2*(at-position[before-1]) == c.length {
			r.tiedBefore = 1
		}
		if after < last && 2*(position[after+1]-at) == c.length {
			r.tiedAfter = 1
		}
		to[i] = r
	}
}

// behind returns the weight between place i and v that is joined to
// the place outside the chain.
func (f reached) behind(upTo []float64, i int) float64 {
	r := &f.reach[i]
	tied := r.after + r.tiedAfter
	return upTo[len(upTo)-1] - upTo[tied] + f.cycle.opposite*(upTo[tied]-upTo[r.after])
}

// one returns the weight of a place; place 0, which is u, has none here.
func one(upTo []float64, i int) float64 { return upTo[i] - upTo[max(i-1, 0)] }

// toOwn sends to v and to the chain's own vertices between source and v.
// It also counts the paths that leave by u on their way there. It returns the sum of
// mass times weight over the pairs joined inside the chain: from a source to u, or to a
// target between the source and v.
func (f reached) toOwn(l outgoing, t *tally) (inside float64) {
	u, v, c, slots := f.u.from, f.v.from, &f.cycle, t.slots(f.skeleton, f.chain)
	weightU, weightV := f.skeleton.weight[u], f.skeleton.weight[v]
	all := f.targets[len(f.targets)-1]
	flow := 0.0
	for i := len(slots) - 1; i > 0; i-- {
		slots[f.at(i)].come[f.side] += f.behind(f.sources, i)
		slots[f.at(i)].score += flow
		source := one(f.sources, i)
		around := source * f.behind(f.targets, i)
		by := around + source*(f.out[i]+c.leaving(f.length-f.position[i])*weightV)
		l.delta[v] += around
		t.score[u] += by
		straight := source * (1 - c.leaving(f.position[i])) * weightU
		flow += by + straight
		inside += straight + source*(all-f.targets[i]) - around
	}
	f.join(slots)
	return inside
}

// join adds the pairs that are joined inside the chain, with the source on the side
// of u, to the places between them. The pairs that pass an edge are those of the previous
// edge, without pairs that end between the two edges, and with pairs that begin there. They are differences
// of whole numbers up to the block's mass times its weight.
func (f reached) join(slots []slotTally) {
	var pass, opposite wholes.Wide
	for i := 1; i < len(slots); i++ {
		source, target, r := int64(one(f.sources, i)), int64(one(f.targets, i)), &f.reach[i]
		first := max(r.before-1, 0) // places after it reach i only inside
		pass = pass.Minus(int64(f.sources[i-1]-f.sources[first]), target)
		if r.tiedBefore != 0 {
			opposite = opposite.Minus(int64(one(f.sources, r.before-1)), target)
		}
		slots[f.at(i)].score += pass.Float() + (1-f.cycle.opposite)*opposite.Float()
		pass = pass.Plus(source, int64(f.targets[r.after]-f.targets[i]))
		if r.tiedAfter != 0 {
			opposite = opposite.Plus(source, int64(one(f.targets, r.after+1)))
		}
	}
}
