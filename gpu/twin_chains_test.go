package gpu

import (
	"math"

	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
)

// chainsTwins is kernels/chains.cl in Go, by launch. Sums are added up in the kernels'
// order, except those of integers.
func chainsTwins(_ simProgram, groups [2]int, call any) bool {
	switch c := call.(type) {
	case methods.ChainsClear:
		clear(memory[float64](c.Score)[:c.Groups*c.N])
	case methods.ChainsSearch:
		for r := range int(c.Roots) {
			chainsSearchTwin(c, r)
		}
	case methods.ChainsSend:
		for r := range int(c.Roots) {
			newChainsRoot(c, r, r%groups[0]).send()
		}
	case methods.ChainsFold:
		score, scores := memory[float64](c.Score), memory[float64](c.Scores)
		for v := range int(c.N) {
			sum := 0.0
			for g := range int(c.Groups) {
				sum += score[g*int(c.N)+v]
			}
			scores[v] = sum
		}
	default:
		return false
	}
	return true
}

// chainsSearchTwin settles one distance after the other.
func chainsSearchTwin(c methods.ChainsSearch, r int) {
	n := int(c.Junctions)
	armFirst, armTo, armLength := memory[uint32](c.ArmFirst), memory[uint32](c.ArmTo), memory[uint32](c.ArmLength)
	d, s := memory[uint32](c.Away)[r*n:(r+1)*n], memory[float64](c.Ways)[r*n:(r+1)*n]
	order, begins := memory[uint32](c.Order)[r*n:(r+1)*n], memory[uint32](c.LevelAt)[r*(n+1):]
	for t := range d {
		d[t] = seating.NoLane
	}
	d[memory[uint32](c.Root)[r]] = 0
	level, settled := 0, 0
	for now := uint32(0); now != seating.NoLane; level++ {
		begins[level] = uint32(settled)
		first := settled
		for t, distance := range d {
			if distance == now {
				order[settled] = uint32(t)
				settled++
			}
		}
		for _, t := range order[first:settled] {
			paths := 0.0
			if now == 0 {
				paths = 1
			}
			for a := armFirst[t]; a < armFirst[t+1]; a++ {
				if to := armTo[a]; d[to] < now && d[to]+armLength[a] == now {
					paths += s[to]
				} else {
					d[to] = min(d[to], now+armLength[a])
				}
			}
			s[t] = paths
		}
		next := seating.NoLane
		for _, distance := range d {
			if distance > now {
				next = min(next, distance)
			}
		}
		now = next
	}
	begins[level] = uint32(settled)
	memory[uint32](c.Levels)[r] = uint32(level)
}

// chainsRoot is a work-group's view of a root.
type chainsRoot struct {
	call                                         methods.ChainsSend
	n, junctions, leads, r, u                    int
	armFirst, armTo, armChain                    []uint32
	chainFirst, chainEnd, spots                  []uint32
	weight, weights, sent, s, mass, delta, score []float64
	brought                                      []float64
	d, order, begins, whole, low, high           []uint32
}

func newChainsRoot(c methods.ChainsSend, r, group int) *chainsRoot {
	n, junctions, leads := int(c.N), int(c.Junctions), int(c.Leads)
	bins := memory[uint32](c.Bins)[group*3*leads:]
	return &chainsRoot{
		call: c, n: n, junctions: junctions, leads: leads, r: r, u: int(memory[uint32](c.Root)[r]),
		armFirst: memory[uint32](c.ArmFirst), armTo: memory[uint32](c.ArmTo), armChain: memory[uint32](c.ArmChain),
		chainFirst: memory[uint32](c.ChainFirst), chainEnd: memory[uint32](c.ChainEnd), spots: memory[uint32](c.Spots),
		weight: memory[float64](c.Weight), weights: memory[float64](c.Weights), sent: memory[float64](c.Sent),
		d: memory[uint32](c.Away)[r*junctions:], s: memory[float64](c.Ways)[r*junctions:],
		order: memory[uint32](c.Order)[r*junctions:], begins: memory[uint32](c.LevelAt)[r*(junctions+1):],
		mass: memory[float64](c.Mass)[group*n : (group+1)*n], delta: memory[float64](c.Delta)[group*junctions : (group+1)*junctions],
		brought: memory[float64](c.Brought)[group*int(memory[uint32](c.ArmFirst)[junctions]):],
		score:   memory[float64](c.Score)[group*n : (group+1)*n],
		whole:   bins[:leads], low: bins[leads : 2*leads], high: bins[2*leads : 3*leads],
	}
}

// twinSpan is a chain from one of its ends.
type twinSpan struct {
	first, length int
	side          uint32
}

func (k *chainsRoot) span(arm uint32) twinSpan {
	first := int(k.chainFirst[arm/2])
	return twinSpan{first, int(k.chainFirst[arm/2+1]) - first + 1, arm % 2}
}

func (c twinSpan) place(i int) int {
	if c.side == 1 {
		i = c.length - i
	}
	return c.first + i - 1
}

func (c twinSpan) upTo(sums []float64, i int) float64 {
	i = max(0, min(i, c.length-1))
	at := func(i int) float64 {
		if i == 0 {
			return 0
		}
		return sums[c.first+i-1]
	}
	if c.side == 0 {
		return at(i)
	}
	return at(c.length-1) - at(c.length-1-i)
}

func (c twinSpan) one(sums []float64, i int) float64 { return c.upTo(sums, i) - c.upTo(sums, i-1) }

func partingTwin(twice, length int) (near, next int) {
	return max(twice-1, 0) / 2, min(twice/2, length-1)
}

// to gives distance and paths of a vertex from a root with these arrays.
func (k *chainsRoot) to(x int, d []uint32, s []float64) (int, float64) {
	if x < k.junctions {
		return int(d[x]), s[x]
	}
	spot := k.spots[4*(x-k.junctions):]
	a, b, i, length := spot[0], spot[1], int(spot[2]), int(spot[3])
	byA, byB := int(d[a])+i, int(d[b])+length-i
	switch {
	case byA < byB:
		return byA, s[a]
	case byB < byA:
		return byB, s[b]
	}
	return byA, s[a] + s[b]
}

func (k *chainsRoot) send() {
	for x := range k.mass {
		k.mass[x] = memory[float64](k.call.RootMass)[k.r]
	}
	clear(k.delta)
	by, direct := 0.0, 0.0
	for arm := k.armFirst[k.u]; arm < k.armFirst[k.u+1]; arm++ {
		clear(k.whole)
		clear(k.low)
		clear(k.high)
		if c := k.span(k.armChain[arm]); c.upTo(k.sent, c.length) > 0 {
			k.toAll(c, int(k.armTo[arm]))
			k.toOwn(c, int(k.armTo[arm]), &by, &direct)
		}
	}
	come := k.back()
	k.score[k.u] += by
	copy(memory[float64](k.call.Checks)[3*k.r:], []float64{come, by, direct})
}

// toAll sends from the sources inside a chain to v, to all vertices outside.
func (k *chainsRoot) toAll(c twinSpan, v int) {
	other := int(memory[uint32](k.call.RootOf)[v]) * k.junctions
	dv, sv := memory[uint32](k.call.Away)[other:], memory[float64](k.call.Ways)[other:]
	for x := range k.n {
		if inside := x - k.junctions - c.first; inside >= 0 && inside < c.length-1 {
			continue
		}
		fromU, pathsU := k.to(x, k.d, k.s)
		fromV, pathsV := k.to(x, dv, sv)
		lead := c.length + fromU - fromV
		near, next := partingTwin(2*c.length-lead, c.length)
		alone := c.upTo(k.sent, near)
		tied, all := c.upTo(k.sent, next)-alone, alone
		counts := x != k.u && x != v
		if counts {
			k.whole[lead] += uint32(k.weight[x])
		}
		if tied != 0 {
			share := pathsU / (pathsU + pathsV)
			all += float64(tied * share)
			if counts {
				sum := uint64(k.high[lead])<<32 | uint64(k.low[lead])
				sum += uint64(math.Ldexp(float64(k.weight[x]*share), 62-int(k.call.Unit)))
				k.low[lead], k.high[lead] = uint32(sum), uint32(sum>>32)
			}
		}
		k.mass[x] += all
	}
}

// toOwn does the single work-item's part: the chain's own vertices.
func (k *chainsRoot) toOwn(c twinSpan, v int, by, direct *float64) {
	near, outside := (c.length+int(k.d[v])-1)/2, 1.0
	if (c.length+int(k.d[v]))%2 == 0 {
		outside = k.s[v] * (1 / (1 + k.s[v]))
	}
	leaving := func(distance int) float64 {
		switch {
		case distance <= near:
			return 0
		case distance == near+1:
			return outside
		}
		return 1
	}
	behind := func(sums []float64, i int) float64 {
		return c.upTo(sums, c.length) - c.upTo(sums, i+near+1) + float64(outside*c.one(sums, i+near+1))
	}
	reached, flow, around, lead := 0.0, 0.0, 0.0, 0
	for i := c.length - 1; i > 0; i-- {
		for ; lead < 2*(c.length-i); lead++ {
			reached += float64(k.whole[lead])
		}
		tied := math.Ldexp(float64(uint64(k.high[lead])<<32|uint64(k.low[lead])), int(k.call.Unit)-62)
		source := c.one(k.sent, i)
		home := float64(float64(source*(1-leaving(i))) * k.weight[k.u])
		back := float64(source * behind(k.weights, i))
		out := back + float64(source*(reached+tied+float64(leaving(c.length-i)*k.weight[v])))
		k.score[k.junctions+c.place(i)] += flow
		around += back
		*by += out
		*direct += home
		flow += out + home + float64(behind(k.sent, i)*c.one(k.weights, i))
	}
	k.delta[v] += around
	pass, tie := int64(0), int64(0)
	for i := 1; i < c.length; i++ {
		source, target := int64(c.one(k.sent, i)), int64(c.one(k.weights, i))
		pass -= int64(c.upTo(k.sent, i-1)-c.upTo(k.sent, i-near-1)) * target
		tie -= int64(c.one(k.sent, i-near-1)) * target
		k.score[k.junctions+c.place(i)] += float64(pass) + float64((1-outside)*float64(tie))
		begin := source * int64(c.upTo(k.weights, i+near)-c.upTo(k.weights, i))
		halved := source * int64(c.one(k.weights, i+near+1))
		pass += begin
		tie += halved
		*direct += float64(begin) + float64((1-outside)*float64(halved))
	}
}

// inside is the flow to the end of an arm from vertices inside, and how many of them are
// reached from it alone.
func (k *chainsRoot) inside(arm uint32) (c twinSpan, x, y uint32, near int, tie float64) {
	c, x, y = k.span(k.armChain[arm]), k.armTo[arm], k.chainEnd[k.armChain[arm]]
	near, next := partingTwin(c.length+int(k.d[x])-int(k.d[y]), c.length)
	if next != near {
		at := k.junctions + c.place(next)
		tie = float64(float64(k.mass[at]*k.weight[at]) * (k.s[y] / (k.s[x] + k.s[y])))
	}
	return c, x, y, near, tie
}

// beyond is the flow to the junction y from beyond x, if the arm is on a shortest path.
func (k *chainsRoot) beyond(arm, x, y uint32) float64 {
	if k.d[x] != k.d[y]+memory[uint32](k.call.ArmLength)[arm] {
		return 0
	}
	return float64((float64(k.mass[x]*k.weight[x]) + k.delta[x]) / k.s[x] * k.s[y])
}

// back takes dependencies to the root, and returns their sum there.
func (k *chainsRoot) back() (sum float64) {
	arms := k.armFirst[k.junctions]
	for arm := range arms {
		c, _, _, near, flow := k.inside(arm)
		for i := near; i > 0; i-- {
			at := k.junctions + c.place(i)
			flow += float64(k.mass[at] * k.weight[at])
		}
		k.brought[arm] = flow
	}
	for level := int(memory[uint32](k.call.Levels)[k.r]) - 1; level >= 0; level-- {
		for _, y := range k.order[k.begins[level]:k.begins[level+1]] {
			sum = k.delta[y]
			for arm := k.armFirst[y]; arm < k.armFirst[y+1]; arm++ {
				sum += k.beyond(arm, k.armTo[arm], y)
				sum += k.brought[arm]
			}
			if level > 0 {
				k.delta[y] = sum
				k.score[y] += sum
			}
		}
	}
	for arm := range arms {
		c, x, y, near, flow := k.inside(arm)
		flow += k.beyond(arm, x, y)
		for i := near; i > 0; i-- {
			at := k.junctions + c.place(i)
			k.score[at] += flow
			flow += float64(k.mass[at] * k.weight[at])
		}
	}
	return sum
}
