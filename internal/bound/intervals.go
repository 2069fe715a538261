package bound

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"bcstage/internal/parallel"
)

// Interval holds T of a vertex; Lower <= Estimate <= Upper, in units of T.
type Interval struct{ Lower, Estimate, Upper float64 }

// Half returns the larger distance of the two ends from the estimate.
func (i Interval) Half() float64 { return max(i.Upper-i.Estimate, i.Estimate-i.Lower) }

// Columns are the intervals of all vertices.
type Columns struct{ Lower, Estimate, Upper []float64 }

// Intervals returns the intervals after the latest stage. They depend on the stages
// alone, not on earlier calls.
func (b *Bound) Intervals(ctx context.Context) (Columns, error) {
	n := b.Vertices
	lists := parallel.Lists[float64](b.Threads, 3, n)
	c := Columns{lists[0], lists[1], lists[2]}
	unmet := b.unmet()
	err := b.spread(ctx, func(from, to int) {
		for v := from; v < to; v++ {
			i := unmet
			if b.met(v) {
				i = b.At(v)
			}
			c.Lower[v], c.Estimate[v], c.Upper[v] = i.Lower, i.Estimate, i.Upper
		}
	})
	if b.Signed {
		c = c.signed()
	}
	return c, err
}

// signed joins the intervals of the positive parts, in the first half, with those of the negative parts.
func (c Columns) signed() Columns {
	n := len(c.Lower) / 2
	joined := Columns{c.Lower[:n:n], c.Estimate[:n:n], c.Upper[:n:n]}
	for v := range n {
		joined.Lower[v] -= c.Upper[n+v]
		joined.Estimate[v] -= c.Estimate[n+v]
		joined.Upper[v] -= c.Lower[n+v]
	}
	return joined
}

// met reports whether any draw showed v.
func (b *Bound) met(v int) bool { return b.sum[v] > 0 || b.settled != nil && b.settled[v] > 0 }

// unmet returns the interval of every vertex that is not met.
func (b *Bound) unmet() Interval {
	return b.interval(0, 0, 0, 0, 0, 0)
}

// At returns the interval of one vertex; if Options.Signed, of one of its parts.
func (b *Bound) At(v int) Interval {
	settled, offset := 0.0, 0.0
	if b.settled != nil {
		settled, offset = b.settled[v], b.offset[v]
	}
	return b.interval(b.sum[v], b.variance[v], settled, offset, b.first.sum[v], b.first.variance[v])
}

func (b *Bound) interval(sum, variance, settled, offset, firstSum, firstVariance float64) Interval {
	if b.left == 0 {
		return Interval{settled, settled, settled}
	}
	low, high := settled, settled+float64(b.Range*b.left) // certain
	if b.stages == 0 {
		return Interval{low, low, high}
	}
	up := newTally(upperGrid, sum+offset, b.weight, variance, b.Range)
	estimate := min(max(up.got/up.weight, low), high)
	high = up.upper(b.above, low, high)
	if b.stages > 1 && sum > firstSum {
		c := float64(2*(firstSum+b.Range)) / float64(b.first.draws)
		down := newTally(lowerGrid, sum-firstSum+offset, b.weight-b.first.weight, variance-firstVariance, c)
		low = down.lower(b.below, low)
	}
	// The lower end leaves the first stage out, and may exceed an estimate that this
	// stage pulls down. If low > high, a miss is certain, and any place will do.
	low = min(low, high)
	return Interval{low, min(max(estimate, low), high), high}
}

// Eps returns the largest of upper - estimate and estimate - lower over all vertices,
// in units of T, after the latest stage. It computes ends only for vertices that may
// be the worst, and takes some nanoseconds for each of the others.
func (b *Bound) Eps(ctx context.Context) (float64, error) {
	if b.left == 0 {
		return 0, nil
	}
	if b.Signed {
		c, err := b.Intervals(ctx)
		worst := 0.0
		for v := range c.Lower {
			worst = max(worst, Interval{c.Lower[v], c.Estimate[v], c.Upper[v]}.Half())
		}
		return worst, err
	}
	widest := 0 // most likely
	var mu sync.Mutex
	if err := b.spread(ctx, func(from, to int) {
		most := from
		for v := from + 1; v < to; v++ {
			if b.variance[v] > b.variance[most] {
				most = v
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if b.variance[most] > b.variance[widest] {
			widest = most
		}
	}); err != nil {
		return 0, err
	}
	var worst atomic.Uint64 // bits of a float64 >= 0, whose order is the same
	worst.Store(math.Float64bits(max(b.unmet().Half(), b.At(widest).Half())))
	err := b.spread(ctx, func(from, to int) {
		known := math.Float64frombits(worst.Load())
		before, harmless := known, b.harmless(known)
		for v := from; v < to; v++ {
			if b.variance[v] <= harmless && b.mean(v) <= known || !b.met(v) {
				continue
			}
			if b.near(v, known) {
				continue
			}
			if half := b.At(v).Half(); half > known {
				known = half
				harmless = b.harmless(known)
			}
		}
		for known > before {
			bits := worst.Load()
			if math.Float64bits(known) <= bits || worst.CompareAndSwap(bits, math.Float64bits(known)) {
				return
			}
		}
	})
	return math.Float64frombits(worst.Load()), err
}

// mean returns about T of v.
func (b *Bound) mean(v int) float64 {
	if b.offset == nil {
		return b.sum[v] / b.weight
	}
	return (b.sum[v] + b.offset[v]) / b.weight
}

// near reports whether the ends of v are at most eps from its estimate, by the certain
// bounds and one evaluation of the upper end's test.
func (b *Bound) near(v int, eps float64) bool {
	settled, offset := 0.0, 0.0
	if b.settled != nil {
		settled, offset = b.settled[v], b.offset[v]
	}
	y := newTally(upperGrid, b.sum[v]+offset, b.weight, b.variance[v], b.Range)
	mean := y.got / y.weight
	return mean-settled <= eps && y.within(b.above, max(mean, settled)+float64(eps*(1-1e-5)))
}

// harmless returns a variance such that no vertex with that much or less has an upper
// end farther than eps from its estimate, whatever its T.
func (b *Bound) harmless(eps float64) float64 {
	level := b.above.level(0) + upperGrid.log
	most := float64(eps*b.weight) / b.Range * (1 - 1e-9)
	least := math.Inf(-1)
	for i := range upperGrid.rungs {
		// reach(level, variance) <= most for some rate is enough
		least = max(least, (float64(rates[i]*most)-level)/costs[i])
	}
	return float64(least*b.Range) * b.Range
}
