package streets

import "bcstage/preprocess"

// cycle is a chain and the shortest ways between its ends outside it. Two places
// of the chain, its ends included, that are less than half the cycle apart are
// joined inside the chain, two that are more than that by the ways outside, two
// that are opposite by both. If the chain itself is a shortest way between its
// ends, the cycle is taken as twice the chain; then no two places but the ends
// are opposite. (The chain may be longer than the way outside, which may be a chain
// as long as this one, or several.)
type cycle struct {
	length   int64
	opposite float64 // share of the paths between opposite places that leaves the chain
}

// newCycle of a chain of a length whose ends have so many shortest paths and
// are so far apart.
func newCycle(length, apart int64, paths float64) cycle {
	_, outside := shares(1, paths)
	return cycle{length + apart, outside}
}

// leaving is the share of the paths between two places, so far apart along the chain,
// that leaves the chain.
func (c *cycle) leaving(distance int64) float64 {
	switch {
	case 2*distance < c.length:
		return 0
	case 2*distance == c.length:
		return c.opposite
	}
	return 1
}

// reach is which places are joined to a place inside the chain alone: those from
// before it to after it. The place before before is opposite if tiedBefore is 1, and
// the one after after if tiedAfter is.
type reach struct{ before, after, tiedBefore, tiedAfter int }

// reaches finds the reach of every place, 0 being u, in linear time.
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

// behind is the weight that lies on the side of v of place i and is joined to
// the place outside the chain.
func (f reached) behind(upTo []float64, i int) float64 {
	r := &f.reach[i]
	tied := r.after + r.tiedAfter
	return upTo[len(upTo)-1] - upTo[tied] + f.cycle.opposite*(upTo[tied]-upTo[r.after])
}

// one place's weight; place 0, which is u, has none here.
func one(upTo []float64, i int) float64 { return upTo[i] - upTo[max(i-1, 0)] }

// toOwn sends to v and to the vertices of the chain itself, so far as they lie
// on the side of v; and counts what goes out by u on the way there. The result is
// mass times weight of what is joined inside the chain, u being the target or on the
// side of v.
func (f reached) toOwn(l outgoing, t *tally) (inside float64) {
	u, v, c, slots := f.u.from, f.v.from, &f.cycle, t.slots(f.skeleton, f.chain)
	weightU, weightV := f.skeleton.weight[u], f.skeleton.weight[v]
	all := f.targets[len(f.targets)-1]
	flow := 0.0
	for i := len(slots) - 1; i > 0; i-- {
		slots[f.at(i)].come[f.side] += f.behind(f.sources, i)
		slots[f.at(i)].score += flow
		source := one(f.sources, i)
		around := f.behind(f.targets, i)
		by := source * (around + f.out[i] + c.leaving(f.length-f.position[i])*weightV)
		l.delta[v] += source * around
		t.score[u] += by
		straight := source * (1 - c.leaving(f.position[i])) * weightU
		flow += by + straight
		inside += straight + source*(all-f.targets[i]-around)
	}
	f.join(slots)
	return inside
}

// join adds the pairs that are joined inside the chain, the source on the side
// of u, to the places between. What passes an edge is what passed the edge
// before, less what ends between them, and more what begins there: differences
// of whole numbers up to the block's mass times its weight.
func (f reached) join(slots []slotTally) {
	var pass, opposite preprocess.Wide
	for i := 1; i < len(slots); i++ {
		source, target, r := int64(one(f.sources, i)), int64(one(f.targets, i)), &f.reach[i]
		first := max(r.before-1, 0) // those after it reach i inside alone
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
