package chains

import "bcstage/preprocess"

// cycle is a chain and the shortest ways between its ends outside it. Two places
// of the chain, its ends included, that are less than half the cycle apart are
// joined inside the chain, two that are more than that by the ways outside, two
// that are opposite by both. If the chain itself is a shortest way between its
// ends, the cycle is taken as twice the chain; then no two places but the ends
// are opposite.
type cycle struct {
	length  int
	near    int     // the largest distance along the chain at which places are joined inside alone
	outside float64 // share of the paths that leave the chain at distance near+1
}

// newCycle of a chain of a length whose ends have so many shortest paths and
// are so far apart.
func newCycle(length, apart int, paths float64) cycle {
	c := cycle{length: length + apart, near: (length + apart - 1) / 2, outside: 1}
	if c.length%2 == 0 {
		_, c.outside = shares(1, paths)
	}
	return c
}

// leaving is the share of the paths between two places that leaves the chain.
func (c *cycle) leaving(distance int) float64 {
	switch {
	case distance <= c.near:
		return 0
	case distance == c.near+1:
		return c.outside
	}
	return 1
}

// behind is the weight that lies on the side of v of position i and is joined to
// the position outside the chain.
func (c *cycle) behind(upTo []float64, i int) float64 {
	i += c.near + 1
	return upTo[len(upTo)-1] - sumTo(upTo, i) + c.outside*one(upTo, i)
}

// sumTo is upTo[i] for an i that may lie outside the chain.
func sumTo(upTo []float64, i int) float64 { return upTo[max(0, min(i, len(upTo)-1))] }

// one position's weight, or 0 if there is no such position.
func one(upTo []float64, i int) float64 { return sumTo(upTo, i) - sumTo(upTo, i-1) }

// toOwn sends to v and to the vertices of the chain itself, so far as they lie
// on the side of v; and counts what goes out by u on the way there.
func (f reached) toOwn(l outgoing, t *tally) {
	u, v, c, slots := f.u.from, f.v.from, &f.cycle, t.slots(f.skeleton, f.chain)
	weightU, weightV := f.skeleton.weight[u], f.skeleton.weight[v]
	flow := 0.0
	for i := len(slots) - 1; i > 0; i-- {
		slots[f.at(i)].come[f.side] += c.behind(f.sources, i)
		slots[f.at(i)].score += flow
		source := one(f.sources, i)
		around := source * c.behind(f.targets, i)
		by := around + source*(f.out[i]+c.leaving(len(slots)-i)*weightV)
		l.delta[v] += around
		t.score[u] += by
		flow += by + source*(1-c.leaving(i))*weightU
	}
	f.join(slots)
}

// join adds the pairs that are joined inside the chain, the source on the side
// of u, to the positions between. What passes an edge is what passed the edge
// before, less what ends between them, and more what begins there: differences
// of whole numbers up to the block's mass times its weight.
func (f reached) join(slots []slotTally) {
	far := f.cycle.near + 1
	var pass, opposite preprocess.Wide
	for i := 1; i < len(slots); i++ {
		source, target := int64(one(f.sources, i)), int64(one(f.targets, i))
		pass = pass.Minus(int64(f.sources[i-1]-sumTo(f.sources, i-far)), target)
		opposite = opposite.Minus(int64(one(f.sources, i-far)), target)
		slots[f.at(i)].score += pass.Float() + (1-f.cycle.outside)*opposite.Float()
		pass = pass.Plus(source, int64(sumTo(f.targets, i+far-1)-f.targets[i]))
		opposite = opposite.Plus(source, int64(one(f.targets, i+far)))
	}
}

// want is the sum over the sources, times their mass, and over all targets t,
// times their weight, of d-1, but for what u tells: the sum over all vertices of
// weight times distance from u, once for every unit of source mass. A target
// outside is d(u,t)+i away from the source at position i, less what the way by v
// saves: lead(t) - 2*(length-i), if that is positive.
func (f spread) want() (total float64) {
	length := len(f.sources)
	apart := f.cycle.length - length
	weightU, weightV := f.skeleton.weight[f.u.from], f.skeleton.weight[f.v.from]
	outside := f.total - weightU - weightV - f.whole[f.chain].weight
	told := weightV*float64(apart) + f.around(0) // by u, of targets that are not outside
	saved, nearer, lead := 0.0, 0.0, 2*length    // nearer: weight of those that are nearer by v
	for i := 1; i < length; i++ {
		saved += 2 * nearer
		for ; lead > 2*(length-i); lead-- {
			nearer += f.weight[lead]
			saved += f.weight[lead] * float64(lead-2*(length-i))
		}
		distances := outside*float64(i) - saved - told + f.around(i) +
			weightU*float64(min(i, length-i+apart)) + weightV*float64(min(length-i, apart+i))
		total += one(f.sources, i) * (distances - (f.total - one(f.targets, i)))
	}
	return total
}

// around is the sum over the vertices of the chain of weight times distance from
// one of the chain's places, 0 for u. The sum holds from the chain's first end only.
func (f spread) around(i int) float64 {
	upTo, half := f.spans(f.chain), f.cycle.length/2
	sum := func(from, to int) span { // of the positions from..to that there are
		lo := min(max(from, 1), len(upTo)) - 1
		hi := max(min(to, len(upTo)-1), lo)
		return span{upTo[hi].weight - upTo[lo].weight, upTo[hi].moment - upTo[lo].moment}
	}
	at, cycle := float64(i), float64(f.cycle.length)
	left, right := sum(i-half, i-1), sum(i+1, i+half) // joined inside
	before, after := sum(1, i-half-1), sum(i+half+1, len(upTo)-1)
	return at*left.weight - left.moment + right.moment - at*right.weight +
		(cycle-at)*before.weight + before.moment + (cycle+at)*after.weight - after.moment
}
