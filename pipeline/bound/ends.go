package bound

// rungs is the number of rates of the mixture: enough that some rate is within
// a factor of 2^0.5 of the best one up to some 10^9 draws. Each costs
// log(rungs/(rungs-1)) of a level of some 12.
const rungs = 12

// rates are those of the mixture times c, the largest deviation, and costs what
// each takes per unit of variance over c^2: -log(1-rate) - rate.
var rates, costs = ladder()

func ladder() (rates, costs [rungs]float64) {
	rate := 0.95
	for i := range rungs {
		power, cost := rate, 0.0
		for k := 2; k < 1000; k++ {
			power = float64(power * rate)
			cost += float64(power / float64(k))
		}
		rates[i], costs[i] = rate, cost
		rate /= 2
	}
	return rates, costs
}

// logRungs is log(rungs), rounded up.
const logRungs = 2.4849066497881

// mixture is the sum over all rates of exp(rate * excess - cost * variance):
// rungs times the test process of one side. The excess is that of a hypothesis
// over the data and the variance that of the data, in units of c and c^2.
func mixture(excess, variance float64) (sum float64) {
	for i := range rates {
		e := float64(rates[i]*excess) - float64(costs[i]*variance)
		if e > -40 { // the others are below 1e-17, and left out the same way everywhere
			sum += exp(e)
		}
	}
	return sum
}

// reach is the least excess at which a single rate has exponent level: a
// mixture is at most rungs * e^level there, and at least e^level.
func reach(level, variance float64) float64 {
	least := (level + float64(costs[0]*variance)) / rates[0]
	for i := 1; i < rungs; i++ {
		least = min(least, (level+float64(costs[i]*variance))/rates[i])
	}
	return least
}

// risks say with which probability the interval of one vertex may fail on one
// side if its T is the truth: floor + slope * min(T, most). Summed over all
// vertices, whose T sum to most, this is what that side may fail with in all.
type risks struct{ floor, slope, most float64 }

func (r risks) at(t float64) float64 { return r.floor + float64(r.slope*min(t, r.most)) }

// level is the log of the process at which a hypothesis is refused.
func (r risks) level(t float64) float64 { return -log(r.at(t)) }

// tally is what the test of one side knows of one vertex: a hypothesis t
// differs from the data by t*weight - got, in units of c.
type tally struct {
	got, weight float64 // A + H, G
	variance    float64 // V
	c           float64
}

func (y *tally) excess(t float64) float64 { return (float64(t*y.weight) - y.got) / y.c }

// halvings of the span in which an end is known to be: what is left is less than
// a thousandth of the interval. Ends are rounded outwards.
const halvings = 8

// upper is the least t above which every hypothesis is refused, or high, if
// that is less. from <= high is not above the answer; all up to got/weight is not.
func (y *tally) upper(r risks, from, high float64) float64 {
	variance := y.variance / float64(y.c*y.c)
	end := func(level float64) float64 { return (y.got + float64(y.c*reach(level, variance))) / y.weight }
	from = min(max(from, y.got/y.weight), high)
	// Risks grow with t, so levels fall: those at the two ends of the span hold.
	high = min(high, end(r.level(from)+logRungs))
	from = min(max(from, end(r.level(high))), high)
	for range halvings {
		t := float64(0.5 * (from + high))
		if float64(mixture(y.excess(t), variance)*r.at(t)) < rungs {
			from = t
		} else {
			high = t
		}
	}
	return high
}

// lower is the largest t below which every hypothesis is refused, or low, if
// that is more: those below low were refused before.
func (y *tally) lower(r risks, low float64) float64 {
	variance := y.variance / float64(y.c*y.c)
	end := func(level float64) float64 { return (y.got - float64(y.c*reach(level, variance))) / y.weight }
	// The level at low is enough for all above it; and as low rises, it falls.
	for range 3 {
		t := end(r.level(low) + logRungs)
		if t <= low {
			break
		}
		low = t
	}
	risk := r.at(low)
	to := end(r.level(low))
	for range halvings {
		if to <= low {
			break
		}
		t := float64(0.5 * (low + to))
		if float64(mixture(-y.excess(t), variance)*risk) < rungs {
			to = t
		} else {
			low = t
		}
	}
	return low
}
