package bound

import "context"

// add adds a stage. S and W are those at its start, so the mean of its draws was
// (T - S)/W:
//
//	V += Q - 2 xhat A + k xhat^2     about a guess xhat made before the stage
//	A += A of the stage
//	H += k S/W                       the settled part, which the draws cannot show
//	G += k/W
func (b *Bound) add(ctx context.Context, s Stage) error {
	if s.Settled != nil && b.settled == nil {
		b.settled, b.offset = make([]float64, b.Vertices), make([]float64, b.Vertices)
	}
	if err := b.spread(ctx, func(from, to int) { b.accumulate(s, from, to) }); err != nil {
		return err
	}
	b.draws += s.Draws
	b.weight += float64(s.Draws) / b.left
	b.left = s.Left
	if b.stages == 0 {
		b.first.draws, b.first.weight = b.draws, b.weight
	}
	b.stages++
	return nil
}

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
		if b.settled[v] > 0 {
			b.offset[v] += float64(k*b.settled[v]) / b.left
		}
		b.settled[v] = s.Settled[v]
	}
}

// guess returns xhat, the mean of the draws so far. It stays below the scale of
// the test of lower ends, which may only count deviations of at most that much.
func (b *Bound) guess(v int) float64 {
	if b.stages == 0 || b.sum[v] == 0 {
		return 0
	}
	return min(b.sum[v]/float64(b.draws), b.scale(v))
}

// scale returns c of the test of a lower end, which a guess will hardly exceed.
// The larger it is beside the mean, the weaker the test.
func (b *Bound) scale(v int) float64 {
	return float64(2*(b.first.sum[v]+b.Range)) / float64(b.first.draws)
}
