package chains

import "bcstage/preprocess"

// cycle is a chain and the shortest paths between its ends outside it. Two places
// of the chain, ends included, are joined inside the chain if they are less than half the cycle
// apart. They are joined outside if they are more than half apart, and by both if they
// are opposite. If the chain itself is a shortest path between its
// ends, the cycle counts as twice the chain; then only the ends
// are opposite.
type cycle struct {
	length  int
	near    int     // the largest distance along the chain at which places are joined only inside
	outside float64 // share of the paths that leave the chain at distance near+1
}

// newCycle makes the cycle of a chain of the given length. apart is the distance of its ends, and
// paths the number of shortest paths between them.
func newCycle(length, apart int, paths float64) cycle {
	c := cycle{length: length + apart, near: (length + apart - 1) / 2, outside: 1}
	if c.length%2 == 0 {
		_, c.outside = shares(1, paths)
	}
	return c
}

// leaving returns the share of the paths between two places that leaves the chain.
func (c *cycle) leaving(distance int) float64 {
	switch {
	case distance <= c.near:
		return 0
	case distance == c.near+1:
		return c.outside
	}
	return 1
}

// behind returns the weight between position i and v that is joined to
// the position outside the chain.
func (c *cycle) behind(upTo []float64, i int) float64 {
	i += c.near + 1
	return upTo[len(upTo)-1] - sumTo(upTo, i) + c.outside*one(upTo, i)
}

// sumTo returns upTo[i] for an i that may lie outside the chain.
func sumTo(upTo []float64, i int) float64 { return upTo[max(0, min(i, len(upTo)-1))] }

// one returns the weight of position i, or 0 if it is outside the chain.
func one(upTo []float64, i int) float64 { return sumTo(upTo, i) - sumTo(upTo, i-1) }

// toOwn sends to v and to the chain's own vertices between source and v.
// It also counts the paths that leave by u on their way there.
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

// join adds the pairs that are joined inside the chain, with the source on the side
// of u, to the positions between them. The pairs that pass an edge are those of the previous
// edge, without pairs that end between the two edges, and with pairs that begin there. They are differences
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

// want returns the chain's part of the check that pass does not give. The check is the sum
// of d-1 over the sources, times their mass, and all targets t, times their weight. For every unit of
// source mass, pass gives the sum over all vertices of weight times distance from u. A target
// outside has distance d(u,t)+i from the source at position i, minus the saving of paths by v:
// lead(t) - 2*(length-i), if that is positive.
func (f spread) want() (total float64) {
	length := len(f.sources)
	apart := f.cycle.length - length
	weightU, weightV := f.skeleton.weight[f.u.from], f.skeleton.weight[f.v.from]
	outside := f.total - weightU - weightV - f.whole[f.chain].weight
	told := weightV*float64(apart) + f.around(0) // part of pass for targets that are not outside
	saved, nearer, lead := 0.0, 0.0, 2*length    // nearer: weight of the targets that are nearer by v
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

// around returns the sum over the vertices of the chain of weight times distance from
// place i, 0 for u. It is right only if u is the chain's first end.
func (f spread) around(i int) float64 {
	upTo, half := f.spans(f.chain), f.cycle.length/2
	sum := func(from, to int) span { // of the positions from..to inside the chain
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
