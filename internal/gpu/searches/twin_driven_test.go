package searches

// Twins of kernels/narrow.cl, direction.cl and near.cl.

// Words of progress.
const (
	wordCount = 2 + iota
	wordArcs
	wordFirst
	wordWay
	wordOwn
)

// NARROW and FEW of narrow.cl, with the simulator's crew.
const (
	narrowLimit = 3 * 64
	fewLimit    = 16 * 64
)

// turnLimit is TURNS, but smaller, so that searches reach it.
const turnLimit = 9

// bit returns v's bit in an array of bits.
func bit(list []uint32, v uint32) bool { return list[v/32]>>(v%32)&1 == 1 }

func set(list []uint32, v uint32) { list[v/32] |= 1 << (v % 32) }

// crewed is a crew at work: the place and size of its list.
type crewed struct {
	*twin
	round, first, count, arcs uint32
	listed, wide              bool
}

// takeOver reads the results of the last round.
func (t *twin) takeOver() (c crewed, ended bool) {
	size := t.sizes("Sizes")[1]
	c = crewed{twin: t, round: t.of("Progress")[progressRound] + 1, first: t.of("Bases")[1], count: uint32(size >> 32), arcs: uint32(size)}
	at := uint32(0)
	for k := range c.count {
		if t.of("Progress")[wordWay] != 0 && t.buffer["Lots"] != nil {
			break // they are bits
		}
		if got := t.of("Starts")[c.first+k]; got != at {
			panic("starts that do not add up")
		}
		at += t.degree(t.of("Queue")[c.first+k])
	}
	return c, t.of("Progress")[progressPending] == 0
}

func (t *twin) degree(v uint32) uint32 { return t.of("Ptr")[v+1] - t.of("Ptr")[v] }

// put appends v to the crew's next list.
func (c *crewed) put(v uint32) {
	c.of("Queue")[c.first+c.count], c.of("Starts")[c.first+c.count] = v, c.arcs
	c.count++
	c.arcs += c.degree(v)
}

// narrow reports whether there is a list that the crew can do.
func (c *crewed) narrow() bool { return c.count > 0 && c.count <= narrowLimit && c.arcs <= fewLimit }

// each calls do for the arcs of a list.
func (t *twin) each(first, count uint32, do func(u, e uint32)) {
	for _, u := range t.of("Queue")[first : first+count] {
		for e := t.of("Ptr")[u]; e < t.of("Ptr")[u+1]; e++ {
			do(u, e)
		}
	}
}

// leave writes progress.
func (c *crewed) leave(pending bool, way uint32) {
	p := c.of("Progress")
	p[progressRound], p[progressPending] = c.round, 0
	if pending {
		p[progressPending] = 1
	}
	p[wordCount], p[wordArcs], p[wordFirst], p[wordWay] = c.count, c.arcs, c.first, way
	c.sizes("Sizes")[1] = 0
}

// find puts v at the end of the list, which begins at bases[1] and has size
// sizes[1].
func (t *twin) find(v uint32) {
	size := &t.sizes("Sizes")[1]
	to := t.of("Bases")[1] + uint32(*size>>32)
	t.of("Queue")[to], t.of("Starts")[to] = v, uint32(*size)
	*size += 1<<32 | uint64(t.degree(v))
}

func directionTwins(t *twin, call any) bool {
	switch k := call.(type) {
	case depart:
		for v := range k.N {
			t.of("Offers")[v], t.of("Dist")[v] = none, none
			if t.problem == "SSSP" {
				t.of("Marks")[v], t.of("Far")[v] = none, 0
			}
		}
		t.of("Offers")[k.Source], t.of("Fault")[0] = 0, 0
		t.of("Queue")[0], t.of("Starts")[0], t.of("Bases")[1] = k.Source, 0, 0
		t.sizes("Sizes")[1] = 1<<32 | uint64(t.degree(k.Source))
		p := t.of("Progress")
		p[progressRound], p[progressPending], p[wordWay], p[wordOwn], p[wordOwn+1] = none, 1, 0, k.Own, 0
	case crew:
		p := t.of("Progress")
		c, ended := t.takeOver()
		if ended {
			break
		}
		listed, left := p[wordWay]&1 == 0, p[wordOwn]
		for turn := 0; listed && c.narrow() && turn < turnLimit; turn++ {
			t.did["narrow rounds"]++
			first, count, arcs := c.first, c.count, c.arcs
			for _, v := range t.of("Queue")[first : first+count] {
				t.of("Dist")[v] = c.round
			}
			c.first, c.count, c.arcs = first+count, 0, 0
			t.each(first, count, func(_, e uint32) {
				if v := t.of("Adj")[e]; t.of("Offers")[v] == none {
					t.of("Offers")[v] = c.round + 1
					c.put(v)
				}
			})
			for _, v := range t.of("Queue")[c.first : c.first+c.count] {
				t.of("Dist")[v] = c.round + 1
			}
			c.round++
			left -= arcs
		}
		up := c.arcs > left/k.Upward
		way := uint32(0)
		if !listed {
			up = c.count >= k.N/k.Downward
			way = 2
		}
		t.sizes("Lots")[0], t.of("Bases")[1] = 0, c.first+c.count
		if up = up && c.count > 0; up {
			way |= 1
			t.of("Bases")[1] = c.first
		} else if listed {
			t.sizes("Lots")[0] = uint64(c.count)<<32 | uint64(c.arcs)
		}
		p[wordOwn] = left - c.arcs
		c.leave(c.count > 0, way)
	case arrive:
		p := t.of("Progress")
		round, first, count := p[progressRound], p[wordFirst], p[wordCount]
		up, before := p[wordWay]&1 != 0, p[wordWay]&2 != 0
		if count == 0 {
			break
		}
		words := (k.N + 31) / 32
		now, next := t.of("Bits")[round%2*words:], t.of("Bits")[(1-round%2)*words:]
		if !before {
			for _, v := range t.of("Queue")[first : first+count] {
				t.of("Dist")[v] = round
			}
		}
		if up && !before {
			clear(now[:words])
			clear(t.of("Seen")[:words])
		}
		switch {
		case up && !before:
			t.did["rounds that turn up"]++
		case up:
			t.did["rounds up"]++
		case before:
			t.did["rounds that turn down"]++
		default:
			t.did["wide rounds down"]++
		}
		if up {
			clear(next[:words])
		}
		lot := &t.sizes("Lots")[0]
		for v := range k.N {
			switch {
			case up && before && bit(now, v):
				set(t.of("Seen"), v)
			case up && !before && t.of("Offers")[v] != none:
				set(t.of("Seen"), v)
				if t.of("Offers")[v] == round {
					set(now, v)
				}
			case !up && before && bit(now, v):
				t.of("Queue")[first+uint32(*lot>>32)], t.of("Starts")[first+uint32(*lot>>32)] = v, uint32(*lot)
				*lot += 1<<32 | uint64(t.degree(v))
			}
		}
	case wideStep:
		p := t.of("Progress")
		t.each(p[wordFirst], uint32(t.sizes("Lots")[0]>>32), func(_, e uint32) {
			if v := t.of("Adj")[e]; t.of("Dist")[v] == none && t.of("Offers")[v] == none {
				t.of("Offers")[v] = p[progressRound] + 1
				t.find(v)
			}
		})
		round, words := p[progressRound], (k.N+31)/32
		for v := range k.N {
			if p[wordWay]&1 == 0 || bit(t.of("Seen"), v) {
				continue
			}
			for e := t.of("InPtr")[v]; e < t.of("InPtr")[v+1]; e++ {
				if bit(t.of("Bits")[round%2*words:], t.of("InAdj")[e]) {
					t.of("Offers")[v], t.of("Dist")[v] = round+1, round+1
					set(t.of("Bits")[(1-round%2)*words:], v)
					t.sizes("Sizes")[1] += 1<<32 | uint64(t.degree(v))
					break
				}
			}
		}
	default:
		return false
	}
	return true
}

// relax is relax of near.cl: "near", "far", or nowhere.
func (t *twin) relax(d, e, round, limit uint32) string {
	v, length := t.of("Adj")[e], t.of("Lengths")[e]
	if length >= none-d {
		t.of("Fault")[0] = 1
		return ""
	}
	offer := d + length
	if offer >= t.of("Dist")[v] || offer >= t.of("Offers")[v] {
		return ""
	}
	t.of("Offers")[v] = offer
	mark, name, value := t.of("Marks"), "near", round+1
	if offer >= limit {
		mark, name, value = t.of("Far"), "far", 1
	}
	if mark[v] == value {
		return ""
	}
	mark[v] = value
	return name
}

func risen(lowest, stride uint32) uint32 { return lowest + min(stride, none-lowest) }

// split splits the current pile.
func (t *twin) split(n, which, height, limit uint32, near, far func(v uint32)) {
	for _, v := range t.of("Pile")[which*n : which*n+height] {
		switch offer := t.of("Offers")[v]; {
		case offer >= t.of("Dist")[v]:
			t.of("Far")[v] = 0
		case offer >= limit:
			far(v)
		default:
			t.of("Far")[v] = 0
			near(v)
		}
	}
}

// low returns the lowest offer of the pile.
func (t *twin) low(n, which, height uint32) uint32 {
	low := uint32(none)
	for _, v := range t.of("Pile")[which*n : which*n+height] {
		if t.of("Offers")[v] < t.of("Dist")[v] {
			low = min(low, t.of("Offers")[v])
		}
	}
	return low
}

func nearTwins(t *twin, call any) bool {
	if t.buffer["Progress"] == nil {
		return false
	}
	p := t.of("Progress")
	switch k := call.(type) {
	case nearCrew:
		c, ended := t.takeOver()
		if ended {
			break
		}
		limit, which, height := p[wordOwn], p[wordOwn+1], uint32(0)
		if p[wordWay] != 0 {
			which, limit = 1-which, risen(t.of("Lowest")[0], k.Stride)
		}
		if c.round > 0 {
			height = t.of("Piled")[which]
		}
		pile := func(v uint32) {
			t.of("Pile")[which*k.N+height] = v
			height++
		}
		for turn := 0; turn < turnLimit; turn++ {
			first, count := c.first, c.count
			if count == 0 && (height == 0 || height > fewLimit) || count > 0 && !c.narrow() {
				break
			}
			c.first, c.count, c.arcs = k.N-first, 0, 0
			if count == 0 {
				t.did["low piles"]++
				limit = risen(t.low(k.N, which, height), k.Stride)
				from, all := which, height
				which, height = 1-which, 0
				t.split(k.N, from, all, limit, c.put, pile)
				continue
			}
			t.did["narrow rounds of near"]++
			for _, v := range t.of("Queue")[first : first+count] {
				t.of("Dist")[v] = t.of("Offers")[v]
			}
			t.each(first, count, func(u, e uint32) {
				switch t.relax(t.of("Dist")[u], e, c.round, limit) {
				case "near":
					c.put(t.of("Adj")[e])
				case "far":
					pile(t.of("Adj")[e])
				}
			})
			c.round++
		}
		p[wordOwn], p[wordOwn+1] = limit, which
		t.of("Piled")[which], t.of("Piled")[1-which], t.of("Lowest")[0] = height, 0, none
		way := uint32(0)
		if c.count == 0 && height > 0 {
			way = 1
		}
		c.leave(c.count > 0 || height > 0, way)
		t.of("Bases")[1] = k.N - c.first
	case nearArrive:
		for _, v := range t.of("Queue")[p[wordFirst] : p[wordFirst]+p[wordCount]] {
			t.of("Dist")[v] = t.of("Offers")[v]
		}
		if p[wordWay] != 0 {
			t.of("Lowest")[0] = t.low(k.N, p[wordOwn+1], t.of("Piled")[p[wordOwn+1]])
		}
	case nearStep:
		which := p[wordOwn+1]
		if p[wordWay] != 0 {
			t.did["high piles"]++
			t.split(k.N, which, t.of("Piled")[which], risen(t.of("Lowest")[0], k.Stride), t.find, func(v uint32) {
				t.of("Pile")[(1-which)*k.N+t.of("Piled")[1-which]] = v
				t.of("Piled")[1-which]++
			})
			break
		}
		if p[wordCount] > 0 {
			t.did["wide rounds of near"]++
		}
		t.each(p[wordFirst], p[wordCount], func(u, e uint32) {
			switch v := t.of("Adj")[e]; t.relax(t.of("Dist")[u], e, p[progressRound], p[wordOwn]) {
			case "near":
				t.find(v)
			case "far":
				t.of("Pile")[which*k.N+t.of("Piled")[which]] = v
				t.of("Piled")[which]++
			}
		})
	default:
		return false
	}
	return true
}
