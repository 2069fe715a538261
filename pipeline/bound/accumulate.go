package bound

// prepare makes room for what a first stage decides.
func (b *Bound) prepare(s Stage) {
	if b.stages > 0 {
		return
	}
	b.first.sum = make([]float64, b.Vertices)
	b.first.variance = make([]float64, b.Vertices)
	if s.Settled != nil {
		b.settled = make([]float64, b.Vertices)
		b.offset = make([]float64, b.Vertices)
	}
}

// accumulate adds a stage to the sums of vertices from..to-1. S and W are those at
// its start, so that its draws had mean (T - S)/W:
//
//	V += Q - 2 xhat A + k xhat^2     about a guess xhat made before the stage
//	A += A of the stage
//	H += k S/W                       what the draws cannot show, being settled
func (b *Bound) accumulate(s Stage, from, to int) {
	k := float64(s.Draws)
	for v := from; v < to; v++ {
		guess := b.guess(v)
		about := s.Squares[v] - float64(2*float64(guess*s.Sum[v])) + float64(float64(k*guess)*guess)
		b.variance[v] += max(about, 0)
		b.sum[v] += s.Sum[v]
	}
	if b.stages == 0 {
		copy(b.first.sum[from:to], b.sum[from:to])
		copy(b.first.variance[from:to], b.variance[from:to])
	}
	for v := from; v < to && b.settled != nil; v++ {
		b.offset[v] += float64(k*b.settled[v]) / b.left
		b.settled[v] = s.Settled[v]
	}
}

// advance comes after accumulate, once per stage: G += k/W, and the new W.
func (b *Bound) advance(s Stage) {
	b.draws += s.Draws
	b.weight += float64(s.Draws) / b.left
	b.left = s.Left
	if b.stages == 0 {
		b.first.draws, b.first.weight = b.draws, b.weight
	}
	b.stages++
}

// guess is xhat: the mean of the draws so far. It stays below the scale of the
// test of lower ends, which may only count deviations of at most that much.
func (b *Bound) guess(v int) float64 {
	if b.stages == 0 {
		return 0
	}
	return min(b.sum[v]/float64(b.draws), b.scale(v))
}

// scale is c of the test of a lower end: what a guess will hardly pass. The more
// it is above the mean, the less the test sees.
func (b *Bound) scale(v int) float64 {
	return float64(2*(b.first.sum[v]+b.Range)) / float64(b.first.draws)
}

// ends renews the intervals of vertices from..to-1 with the risks of the two
// sides and gives the largest distance of an end from its estimate.
func (b *Bound) ends(above, below risks, from, to int) (eps float64) {
	unmet := -1.0 // upper end of vertices that no draw has met: all have the same
	for v := from; v < to; v++ {
		settled, offset := 0.0, 0.0
		if b.settled != nil {
			settled, offset = b.settled[v], b.offset[v]
		}
		if b.left == 0 {
			b.lower[v], b.upper[v], b.estimate[v] = settled, settled, settled
			continue
		}
		low, high := max(b.lower[v], settled), min(b.upper[v], settled+float64(b.Range*b.left))
		upper := tally{got: b.sum[v] + offset, weight: b.weight, variance: b.variance[v], c: b.Range}
		met := upper.got > 0
		if met || unmet < 0 {
			high = upper.upper(above, low, high)
		} else {
			high = unmet
		}
		if !met {
			unmet = high
		}
		if met && b.stages > 1 {
			low = (&tally{
				got:      b.sum[v] - b.first.sum[v] + offset,
				weight:   b.weight - b.first.weight,
				variance: b.variance[v] - b.first.variance[v],
				c:        b.scale(v),
			}).lower(below, low)
		}
		if low <= high { // else a miss is certain, and the latest interval as good as any
			b.lower[v], b.upper[v] = low, high
		}
		b.estimate[v] = min(max(upper.got/upper.weight, b.lower[v]), b.upper[v])
		eps = max(eps, b.upper[v]-b.estimate[v], b.estimate[v]-b.lower[v])
	}
	return eps
}
