package chains

import "context"

// load is room for the masses sent through one root: by target, the mass that
// reaches it through the root.
type load struct {
	mass  []float64 // by junction: of sources that use this root only; whole numbers
	part  []float64 // by junction: shares of sources that use another root as well
	miss  []float64 // by chain: the part of the first end's mass that does not reach the vertices inside
	delta []float64 // by junction: dependency on it; before pass: of targets inside chains only
	met   []uint32  // chains whose vertices are reached from both ends
}

func newLoad(k *skeleton) load {
	junctions := len(k.Junctions)
	return load{
		mass:  make([]float64, junctions),
		part:  make([]float64, junctions),
		miss:  make([]float64, len(k.Ends)),
		delta: make([]float64, junctions),
		met:   make([]uint32, len(k.hollow)),
	}
}

// outgoing is a load that may be added to, until pass.
type outgoing struct {
	*load
	root *root
}

// begin begins a load with the mass of the root as a source.
func (l *load) begin(r *root) outgoing {
	for j := range l.mass {
		l.mass[j] = r.mass
	}
	clear(l.part)
	clear(l.miss)
	clear(l.delta)
	return outgoing{l, r}
}

// pass takes the dependencies back to the root, from the farthest junction on,
// and adds them to the tally. It returns the flow that arrives at the root: the mass of the
// sources that use it, times the weight of their targets.
func (l outgoing) pass(ctx context.Context, k *skeleton, t *tally) (arrived float64, err error) {
	r := l.root
	l.meet(k, r, t)
	for i := len(r.order) - 1; i > 0; i-- {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		x := r.order[i]
		t.score[x] += l.delta[x]
		flow := (l.mass[x]+l.part[x])*k.weight[x] + l.delta[x]
		if chain := r.last[x]; chain != several {
			l.cross(k, t, x, chain, flow)
			continue
		}
		flow /= r.sigma[x]
		for _, arm := range k.arms[k.first[x]:k.first[x+1]] {
			if r.distance[arm.to]+arm.length == r.distance[x] {
				l.cross(k, t, x, arm.chain, flow*r.sigma[arm.to])
			}
		}
	}
	return l.delta[r.from], nil
}

// cross takes flow back from junction x to the other end of a chain. All vertices of the chain
// are reached from that end; cross adds their masses to the flow.
func (l *load) cross(k *skeleton, t *tally, x, chain uint32, flow float64) {
	inside, found := &k.whole[chain], &t.chain[chain]
	side := 0
	if inside.ends[0] == x {
		side = 1
	}
	mass := l.mass[inside.ends[0]] - l.miss[chain]
	l.delta[inside.ends[side]] += flow + mass*inside.weight
	found.through += flow
	found.come[side] += mass
}

// meet takes the masses of vertices inside chains back to both ends, if the paths to
// them come from both.
func (l *load) meet(k *skeleton, r *root, t *tally) {
	n := 0
	for _, e := range k.hollow {
		l.met[n] = e
		inside := &k.whole[e]
		a, b := r.distance[inside.ends[0]], r.distance[inside.ends[1]]
		n += int(uint64(max(a-b, b-a)-inside.length) >> 63) // if they differ by less, without a branch
	}
	for _, e := range l.met[:n] {
		inside, upTo, slots := &k.whole[e], k.weights(e), t.slots(k, e)
		a, b := inside.ends[0], inside.ends[1]
		mass := l.mass[a] - l.miss[e]
		near, next := k.parting(k.positions(e), inside.length+r.distance[b]-r.distance[a])
		slots[near].until += mass
		slots[next].after += mass
		toA, toB := upTo[near], inside.weight-upTo[next]
		if near != next {
			middle := upTo[next] - upTo[near]
			byA, byB := shares(r.sigma[a], r.sigma[b])
			slots[next].come[0] += mass * byA
			slots[next].come[1] += mass * byB
			toA += middle * byA
			toB += middle * byB
		}
		l.delta[a] += mass * toA
		l.delta[b] += mass * toB
	}
}
