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
// and adds them to the tally. It returns the sum over all vertices of weight
// times distance from the root.
func (l outgoing) pass(ctx context.Context, k *skeleton, t *tally) (far float64, err error) {
	r := l.root
	far = l.meet(k, r, t)
	for i := len(r.order) - 1; i > 0; i-- {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		x := r.order[i]
		t.score[x] += l.delta[x]
		far += k.weight[x] * float64(r.distance[x])
		flow := (l.mass[x]+l.part[x])*k.weight[x] + l.delta[x]
		if chain := r.last[x]; chain != several {
			far += l.cross(k, r, t, x, chain, flow)
			continue
		}
		flow /= r.sigma[x]
		for _, arm := range k.arms[k.first[x]:k.first[x+1]] {
			if r.distance[arm.to]+arm.length == r.distance[x] {
				far += l.cross(k, r, t, x, arm.chain, flow*r.sigma[arm.to])
			}
		}
	}
	return far, nil
}

// cross takes flow back from junction x to the other end of a chain. All vertices of the chain
// are reached from that end; cross adds their masses to the flow.
func (l *load) cross(k *skeleton, r *root, t *tally, x, chain uint32, flow float64) (far float64) {
	inside, found := &k.whole[chain], &t.chain[chain]
	side := 0
	if inside.ends[0] == x {
		side = 1
	}
	y := inside.ends[side]
	mass := l.mass[inside.ends[0]] - l.miss[chain]
	l.delta[y] += flow + mass*inside.weight
	found.through += flow
	found.come[side] += mass
	return float64(r.distance[y])*inside.weight + inside.moment[side]
}

// meet takes the masses of vertices inside chains back to both ends, if the paths to
// them come from both.
func (l *load) meet(k *skeleton, r *root, t *tally) (far float64) {
	met := l.met
	n := 0
	for _, e := range k.hollow {
		met[n] = e
		ends := &k.whole[e].ends
		a, b := r.distance[ends[0]], r.distance[ends[1]]
		length := int32(k.slot[e+1] - k.slot[e])
		n += int(uint32(max(a-b, b-a)-length) >> 31) // if they differ by less, without a branch
	}
	for _, e := range met[:n] {
		inside, upTo, slots := &k.whole[e], k.spans(e), t.slots(k, e)
		a, b := inside.ends[0], inside.ends[1]
		mass := l.mass[a] - l.miss[e]
		near, next := parting(len(upTo)+int(r.distance[b]-r.distance[a]), len(upTo))
		first := upTo[near]
		second := span{inside.weight - upTo[next].weight, inside.moment[0] - upTo[next].moment}
		slots[near].until += mass
		slots[next].after += mass
		toA, toB := first.weight, second.weight
		far += float64(r.distance[a])*first.weight + first.moment +
			float64(r.distance[b]+int32(len(upTo)))*second.weight - second.moment
		if near != next {
			middle := upTo[next].weight - first.weight
			byA, byB := shares(r.sigma[a], r.sigma[b])
			slots[next].come[0] += mass * byA
			slots[next].come[1] += mass * byB
			toA += middle * byA
			toB += middle * byB
			far += middle * float64(r.distance[a]+int32(next))
		}
		l.delta[a] += mass * toA
		l.delta[b] += mass * toB
	}
	return far
}

// parting says from which end the positions of a chain are reached: i from the
// first end while 2i < twice, from the second after that, and from both at a
// tie. So the positions 1..near are reached from the first end, and positions after next
// from the second. If next is not near, it is reached from both. Seen from a root, with
// ends a and b, twice is length + d(b) - d(a), from 0 to 2*length.
func parting(twice, length int) (near, next int) {
	return max(twice-1, 0) / 2, min(twice/2, length-1)
}

// shares divides 1 in the ratio of x to y.
func shares(x, y float64) (ofX, ofY float64) {
	one := 1 / (x + y)
	return x * one, y * one
}
