package chains

// fan is the sources inside one chain, seen from one of the chain's ends, u; v is
// the other. Places and positions are counted from u. The masses that the sources send through
// u are added to the load of u.
//
// The only number that a fan needs of a target t outside is
//
//	twice(t) = length + d(v,t) - d(u,t), from 0 to 2*length
//
// The source at position x reaches t through u while 2x < twice(t), through v
// after that, and through both at a tie: see parting. So the mass sent through u is a table by
// class. Without lengths the class is that number. With lengths there may be many numbers, and only
// the places beside them matter: the class is near+next+1. In both, class 2i is a tie at place i.
//
// The steps that compute a fan's fields are types: opened, met, spread,
// reached.
type fan struct {
	*skeleton

	// Of opened.
	chain    uint32
	side     int // the end of the chain that is u: 0 or 1
	length   int64
	position []int64 // by place
	u, v     *root
	sources  []float64 // by place: mass of the sources up to it
	targets  []float64 // by place: weight of the targets up to it
	cycle    cycle
	reach    []reach   // by place
	alone    []float64 // by class: mass of the sources that leave only by u
	tied     []float64 // by class: mass of the source that leaves by both ends, or 0

	// Of met.
	class []int32   // by junction
	share []float64 // by junction: share of the tied source's paths that leave by u

	// Of spread.
	weight []float64 // by class: weight of the targets outside the chain
	shared []float64 // by class: the part of that weight which the tied source reaches by u

	// Of reached.
	out []float64 // by place: weight of the targets reached by u
}

func newFan(k *skeleton) fan {
	junctions := len(k.Junctions)
	byPlace := func() []float64 { return make([]float64, k.most) }
	byClass := func() []float64 { return make([]float64, 2*k.most+1) }
	return fan{
		skeleton: k,
		position: make([]int64, k.most), reach: make([]reach, k.most),
		sources: byPlace(), targets: byPlace(), out: byPlace(),
		alone: byClass(), tied: byClass(), weight: byClass(), shared: byClass(),
		class: make([]int32, junctions), share: make([]float64, junctions),
	}
}

// opened is a fan that knows, for every class, by which end the chain's sources leave.
type opened struct{ *fan }

// open opens a chain from u; sources has their masses by slot.
func (f *fan) open(chain uint32, u, v *root, sources []float64) opened {
	k, upTo, position := f.skeleton, f.weights(chain), f.positions(chain)
	slots := len(upTo)
	f.chain, f.side, f.u, f.v, f.length = chain, 0, u, v, k.whole[chain].length
	if u.from != k.whole[chain].ends[0] {
		f.side = 1
	}
	f.position, f.reach = f.position[:slots], f.reach[:slots]
	f.sources, f.targets, f.out = f.sources[:slots], f.targets[:slots], f.out[:slots]
	sources = sources[k.slot[chain]:k.slot[chain+1]]
	for i := 1; i < slots; i++ {
		at := f.at(i)
		f.position[i] = position[at]
		if f.side == 1 {
			f.position[i] = f.length - position[at]
		}
		f.sources[i] = f.sources[i-1] + sources[at]
		f.targets[i] = f.targets[i-1] + upTo[at] - upTo[at-1]
	}
	f.cycle = newCycle(f.length, u.distance[v.from], u.sigma[v.from])
	f.cycle.reaches(f.position, f.reach)

	classes := 2*slots + 1
	f.alone, f.tied, f.weight, f.shared = f.alone[:classes], f.tied[:classes], f.weight[:classes], f.shared[:classes]
	for class := range classes {
		near, next := max(class-1, 0)/2, min(class/2, slots-1)
		f.alone[class], f.tied[class] = f.sources[near], f.sources[next]-f.sources[near]
	}
	return opened{f}
}

// at returns place i as counted from the chain's first end.
func (f *fan) at(i int) int {
	if f.side == 0 {
		return i
	}
	return len(f.sources) - i
}

// classOf returns the class of a target at the given distances from u and v. With lengths most targets are reached by
// one of the ends only.
func (f *fan) classOf(fromU, fromV int64) int {
	twice := f.length + fromV - fromU
	if f.unit {
		return int(twice)
	}
	return f.between(twice)
}

// between is classOf with lengths.
func (f *fan) between(twice int64) int {
	last := len(f.position) - 1
	switch {
	case twice < 2*f.position[1]:
		return 1
	case twice > 2*f.position[last]:
		return 2*last + 1
	}
	near, next := f.parting(f.position, twice)
	return near + next + 1
}

// met is a fan that knows the classes of the junctions.
type met struct{ *fan }

// toJunctions sends to the junctions. A junction's mass also counts for the vertices of the
// chains that begin there, until toChains corrects it. So the field weight has them
// there, and leaves out u and v.
func (f opened) toJunctions(l outgoing) met {
	clear(f.weight)
	clear(f.shared)
	u, v := f.u, f.v
	for t, d := range u.distance {
		class := f.classOf(d, v.distance[t])
		f.class[t] = int32(class)
		f.weight[class] += f.lump[t]
		l.mass[t] += f.alone[class]
		if tied := f.tied[class]; tied != 0 {
			share := u.sigma[t] / (u.sigma[t] + v.sigma[t])
			f.share[t] = share
			l.part[t] += tied * share
			if t != int(u.from) && t != int(v.from) {
				f.shared[class] += f.skeleton.weight[t] * share
			}
		}
	}
	f.weight[f.class[u.from]] -= f.skeleton.weight[u.from]
	f.weight[f.class[v.from]] -= f.skeleton.weight[v.from]
	return met(f)
}

// spread is a fan that has sent to all targets outside its chain.
type spread struct{ *fan }

// toChains sends to the vertices of other chains if their masses differ from
// their first end's. If both ends have the same class, so have all vertices between them.
func (f met) toChains(l outgoing, t *tally) spread {
	for _, e := range f.hollow {
		inside := &f.whole[e]
		class := f.class[inside.ends[0]]
		switch {
		case e == f.chain:
			l.miss[e] += f.alone[class]
			f.weight[class] -= inside.weight
		case class != f.class[inside.ends[1]]:
			l.miss[e] += f.alone[class]
			f.weight[class] -= inside.weight
			f.toEach(e, l, t)
		case f.tied[class] != 0:
			f.toTied(e, l, t)
		}
	}
	return spread(f)
}

// toTied sends the tied source's mass to the vertices of a chain that are all tied. The other
// sources were sent with the chain's first end.
func (f met) toTied(e uint32, l outgoing, t *tally) {
	u, v, inside, upTo, slots := f.u, f.v, &f.whole[e], f.weights(e), t.slots(f.skeleton, e)
	a, b := inside.ends[0], inside.ends[1]
	class := f.class[a]
	tied := f.tied[class]
	near, next := f.parting(f.positions(e), inside.length+u.distance[b]-u.distance[a]) // equal for v
	slots[near].until += tied * f.share[a]
	slots[next].after += tied * f.share[b]
	toA := f.share[a] * upTo[near]
	toB := f.share[b] * (inside.weight - upTo[next])
	if near != next {
		one := 1 / (u.sigma[a] + u.sigma[b] + v.sigma[a] + v.sigma[b])
		shareA, shareB := u.sigma[a]*one, u.sigma[b]*one
		slots[next].come[0] += tied * shareA
		slots[next].come[1] += tied * shareB
		middle := upTo[next] - upTo[near]
		toA += middle * shareA
		toB += middle * shareB
	}
	l.delta[a] += tied * toA
	l.delta[b] += tied * toB
	f.shared[class] += toA + toB
}

// toEach sends to the vertices of a chain one by one.
func (f met) toEach(e uint32, l outgoing, t *tally) {
	u, v, inside, upTo, position, slots := f.u, f.v, &f.whole[e], f.weights(e), f.positions(e), t.slots(f.skeleton, e)
	a, b := inside.ends[0], inside.ends[1]
	for i := 1; i < len(position); i++ {
		toA, toB := position[i], inside.length-position[i]
		fromU, pathsA, pathsB := shortest(u.distance[a]+toA, u.distance[b]+toB, u.sigma[a], u.sigma[b])
		fromV, othersA, othersB := shortest(v.distance[a]+toA, v.distance[b]+toB, v.sigma[a], v.sigma[b])
		class := f.classOf(fromU, fromV)
		weight := upTo[i] - upTo[i-1]
		f.weight[class] += weight
		mass := f.alone[class]
		if tied := f.tied[class]; tied != 0 {
			share := (pathsA + pathsB) / (pathsA + pathsB + othersA + othersB)
			f.shared[class] += weight * share
			mass += tied * share
		}
		byA, byB := shares(pathsA, pathsB)
		slots[i].come[0] += mass * byA
		slots[i].come[1] += mass * byB
		l.delta[a] += weight * mass * byA
		l.delta[b] += weight * mass * byB
	}
}

// shortest returns the smaller of two distances, and the path counts of both, 0 for
// a longer one.
func shortest(x, y int64, pathsX, pathsY float64) (int64, float64, float64) {
	switch {
	case x < y:
		return x, pathsX, 0
	case x > y:
		return y, 0, pathsY
	}
	return x, pathsX, pathsY
}

// reached is a fan that knows the weight that each place reaches by u.
type reached struct{ *fan }

// outward adds up, by place of the source, the weight reached by u: all classes above the
// one in which the place is tied, and its share of that class.
func (f spread) outward() reached {
	last := len(f.sources) - 1
	sum := f.weight[2*last+2]
	for i := last; i > 0; i-- {
		sum += f.weight[2*i+1]
		f.out[i] = sum + f.shared[2*i]
		sum += f.weight[2*i]
	}
	return reached(f)
}
