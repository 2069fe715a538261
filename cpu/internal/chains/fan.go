package chains

// fan is the sources inside one chain, seen from one of the chain's ends, u; v is
// the other. Positions are counted from u. The masses that the sources send through u are added
// to the load of u.
//
// The only number that a fan needs of a target t outside is
//
//	lead(t) = length + d(u,t) - d(v,t), from 0 to 2*length
//
// The source at position i reaches t through u while 2i < 2*length - lead(t),
// through v after that, and through both at a tie: see parting. So the mass
// sent through u is a table by lead.
//
// The steps that compute a fan's fields are types: opened, met, spread,
// reached.
type fan struct {
	*skeleton

	// Of opened.
	chain   uint32
	side    int // the end of the chain that is u: 0 or 1
	u, v    *root
	sources []float64 // by position: mass of the sources up to it
	targets []float64 // by position: weight of the targets up to it
	cycle   cycle
	alone   []float64 // by lead: mass of the sources that leave only by u
	tied    []float64 // by lead: mass of the source that leaves by both ends, or 0

	// Of met.
	lead  []int32   // by junction
	share []float64 // by junction: share of the tied source's paths that leave by u

	// Of spread.
	weight []float64 // by lead: weight of the targets outside the chain
	shared []float64 // by lead: the part of that weight which the tied source reaches by u

	// Of reached.
	out []float64 // by position: weight of the targets reached by u
}

func newFan(k *skeleton) fan {
	junctions := len(k.Junctions)
	byPosition := func() []float64 { return make([]float64, k.longest) }
	byLead := func() []float64 { return make([]float64, 2*k.longest+1) }
	return fan{
		skeleton: k,
		sources:  byPosition(), targets: byPosition(), out: byPosition(),
		alone: byLead(), tied: byLead(), weight: byLead(), shared: byLead(),
		lead: make([]int32, junctions), share: make([]float64, junctions),
	}
}

// opened is a fan that knows, for every lead, by which end the chain's sources leave.
type opened struct{ *fan }

// open opens a chain from u; sources has their masses by slot.
func (f *fan) open(chain uint32, u, v *root, sources []float64) opened {
	k, upTo := f.skeleton, f.spans(chain)
	length := len(upTo)
	f.chain, f.side, f.u, f.v = chain, 0, u, v
	if u.from != k.whole[chain].ends[0] {
		f.side = 1
	}
	f.sources, f.targets, f.out = f.sources[:length], f.targets[:length], f.out[:length]
	sources = sources[k.slot[chain]:k.slot[chain+1]]
	for i := 1; i < length; i++ {
		at := f.at(i)
		f.sources[i] = f.sources[i-1] + sources[at]
		f.targets[i] = f.targets[i-1] + upTo[at].weight - upTo[at-1].weight
	}
	f.cycle = newCycle(length, int(u.distance[v.from]), u.sigma[v.from])

	leads := 2*length + 1
	f.alone, f.tied, f.weight, f.shared = f.alone[:leads], f.tied[:leads], f.weight[:leads], f.shared[:leads]
	for lead := range leads {
		near, next := parting(2*length-lead, length)
		f.alone[lead], f.tied[lead] = f.sources[near], f.sources[next]-f.sources[near]
	}
	return opened{f}
}

// at returns position i as counted from the chain's first end.
func (f *fan) at(i int) int {
	if f.side == 0 {
		return i
	}
	return len(f.sources) - i
}

// met is a fan that knows the leads of the junctions.
type met struct{ *fan }

// toJunctions sends to the junctions. A junction's mass also counts for the vertices of the
// chains that begin there, until toChains corrects it. So the field weight has them
// there, and leaves out u and v.
func (f opened) toJunctions(l outgoing) met {
	clear(f.weight)
	clear(f.shared)
	u, v, length := f.u, f.v, int32(len(f.sources))
	for t, d := range u.distance {
		lead := length + d - v.distance[t]
		f.lead[t] = lead
		f.weight[lead] += f.lump[t]
		l.mass[t] += f.alone[lead]
		if tied := f.tied[lead]; tied != 0 {
			share := u.sigma[t] / (u.sigma[t] + v.sigma[t])
			f.share[t] = share
			l.part[t] += tied * share
			if t != int(u.from) && t != int(v.from) {
				f.shared[lead] += f.skeleton.weight[t] * share
			}
		}
	}
	f.weight[f.lead[u.from]] -= f.skeleton.weight[u.from]
	f.weight[f.lead[v.from]] -= f.skeleton.weight[v.from]
	return met(f)
}

// spread is a fan that has sent to all targets outside its chain.
type spread struct{ *fan }

// toChains sends to the vertices of other chains if their masses differ from
// their first end's.
func (f met) toChains(l outgoing, t *tally) spread {
	for _, e := range f.hollow {
		inside := &f.whole[e]
		lead := f.lead[inside.ends[0]]
		if lead != f.lead[inside.ends[1]] {
			l.miss[e] += f.alone[lead]
			f.weight[lead] -= inside.weight
			if e != f.chain {
				f.toEach(e, l, t)
			}
		} else if f.tied[lead] != 0 {
			f.toTied(e, l, t)
		}
	}
	return spread(f)
}

// toTied sends the tied source's mass to the vertices of a chain that all have the same
// lead. The other sources were sent with the chain's first end.
func (f met) toTied(e uint32, l outgoing, t *tally) {
	u, v, inside, upTo, slots := f.u, f.v, &f.whole[e], f.spans(e), t.slots(f.skeleton, e)
	a, b := inside.ends[0], inside.ends[1]
	lead := f.lead[a]
	tied := f.tied[lead]
	near, next := parting(len(upTo)+int(u.distance[b]-u.distance[a]), len(upTo)) // equal for v
	slots[near].until += tied * f.share[a]
	slots[next].after += tied * f.share[b]
	toA := f.share[a] * upTo[near].weight
	toB := f.share[b] * (inside.weight - upTo[next].weight)
	if near != next {
		one := 1 / (u.sigma[a] + u.sigma[b] + v.sigma[a] + v.sigma[b])
		shareA, shareB := u.sigma[a]*one, u.sigma[b]*one
		slots[next].come[0] += tied * shareA
		slots[next].come[1] += tied * shareB
		middle := upTo[next].weight - upTo[near].weight
		toA += middle * shareA
		toB += middle * shareB
	}
	l.delta[a] += tied * toA
	l.delta[b] += tied * toB
	f.shared[lead] += toA + toB
}

// toEach sends to the vertices of a chain one by one.
func (f met) toEach(e uint32, l outgoing, t *tally) {
	u, v, inside, upTo, slots := f.u, f.v, &f.whole[e], f.spans(e), t.slots(f.skeleton, e)
	a, b := inside.ends[0], inside.ends[1]
	length := int32(len(upTo))
	for i := int32(1); i < length; i++ {
		fromU, pathsA, pathsB := shortest(u.distance[a]+i, u.distance[b]+length-i, u.sigma[a], u.sigma[b])
		fromV, othersA, othersB := shortest(v.distance[a]+i, v.distance[b]+length-i, v.sigma[a], v.sigma[b])
		lead := int32(len(f.sources)) + fromU - fromV
		weight := upTo[i].weight - upTo[i-1].weight
		f.weight[lead] += weight
		mass := f.alone[lead]
		if tied := f.tied[lead]; tied != 0 {
			share := (pathsA + pathsB) / (pathsA + pathsB + othersA + othersB)
			f.shared[lead] += weight * share
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
func shortest(x, y int32, pathsX, pathsY float64) (int32, float64, float64) {
	switch {
	case x < y:
		return x, pathsX, 0
	case x > y:
		return y, 0, pathsY
	}
	return x, pathsX, pathsY
}

// reached is a fan that knows the weight that each position reaches by u.
type reached struct{ *fan }

// outward adds up, by position of the source, the weight reached by u.
func (f spread) outward() reached {
	length, sum, lead := len(f.sources), 0.0, 0
	for i := length - 1; i > 0; i-- {
		for ; lead < 2*(length-i); lead++ {
			sum += f.weight[lead]
		}
		f.out[i] = sum + f.shared[lead]
	}
	return reached(f)
}
