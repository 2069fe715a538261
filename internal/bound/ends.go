package bound

// grid is the set of rates of a mixture. There are enough that some rate is within a
// factor of 2^0.5 of the best one up to some 10^9 draws. Each costs log(rungs/(rungs-1))
// of a level of some 12. Lower ends need small rates: by luck of the first stage, c may
// be as small as 2 in a thousand where draws deviate by 1. Without them, the ends of some
// of two million vertices came no nearer than 3e-4 after 15 million pairs.
type grid struct {
	rungs int
	log   float64 // of rungs, rounded up
}

var (
	upperGrid = grid{12, 2.4849066497881}
	lowerGrid = grid{mostRungs, 2.9444389791665}
)

const mostRungs = 19

// rates are those of the mixture times c, the largest deviation. costs is the cost of
// each per unit of variance over c^2: -log(1-rate) - rate.
var rates, costs = ladder()

func ladder() (rates, costs [mostRungs]float64) {
	rate := 0.95
	for i := range mostRungs {
		power, cost := rate, 0.0
		for k := 2; k < 1000; k++ {
			power = float64(power * rate)
			more := cost + float64(power/float64(k))
			if more == cost { // the remaining terms are smaller
				break
			}
			cost = more
		}
		rates[i], costs[i] = rate, cost
		rate /= 2
	}
	return rates, costs
}

// damping is the part of the mixture that depends on the variance alone: e^(-cost *
// variance) for every rate; 0 below e^-600, where another rate is always better.
type damping struct {
	grid
	by [mostRungs]float64
}

func newDamping(g grid, variance float64) damping {
	d := damping{grid: g}
	for i := range g.rungs {
		if e := float64(costs[i] * variance); e < 600 {
			d.by[i] = exp(-e)
		}
	}
	return d
}

// mixture returns the sum over all rates of exp(rate * excess - cost * variance), which
// is rungs times the test process of one side, and its derivative by excess. The excess
// is that of a hypothesis over the data, and the variance is that of the data, in units
// of c and c^2. A mixture with terms left out is smaller, and refuses less.
func (d *damping) mixture(excess float64) (sum, slope float64) {
	power := exp(min(float64(rates[d.rungs-1]*excess), 700)) // for the smallest rate; squaring gives the others
	for i := d.rungs - 1; i >= 0; i-- {
		if d.by[i] == 0 {
			break // and so are all after it
		}
		term := float64(power * d.by[i])
		sum += term
		slope += float64(rates[i] * term)
		power = float64(power * power)
	}
	return sum, slope
}

// reach returns the least excess at which a single rate has exponent level. There a
// mixture is at most rungs * e^level, and at least e^level.
func (g grid) reach(level, variance float64) float64 {
	least := float64((level + float64(costs[0]*variance)) * (1 / rates[0]))
	for i := 1; i < g.rungs; i++ {
		least = min(least, float64((level+float64(costs[i]*variance))*(1/rates[i])))
	}
	return least
}

// risks give the probability that the interval of one vertex fails on one side if its T
// is the truth: floor + slope * min(T, most). The T of all vertices sum to most, so the
// sum of the risks is the failure probability of that side.
type risks struct{ floor, slope, most float64 }

func (r risks) at(t float64) float64 { return r.floor + float64(r.slope*min(t, r.most)) }

// level returns the log of the process at which a hypothesis is refused.
func (r risks) level(t float64) float64 { return -log(r.at(t)) }

// tally is the data of one vertex for the test of one side: a hypothesis t differs from
// the data by t*weight - got, in units of c.
type tally struct {
	got, weight float64 // A + H, G
	variance    float64 // V/c^2
	c           float64
	damping     // of the variance
}

func newTally(g grid, got, weight, variance, c float64) tally {
	variance /= float64(c * c)
	return tally{got, weight, variance, c, newDamping(g, variance)}
}

// end returns the hypothesis with the given excess.
func (y *tally) end(excess float64) float64 { return (y.got + float64(y.c*excess)) / y.weight }

// A closed form gives a first end. Newton's method follows, until the log of the process
// is near its level. The process is convex in its hypothesis, so every step stops outside
// the interval. Four or five steps are usual.
const (
	steps = 12
	near  = 1e-6
)

// upper returns about the least t above which every hypothesis is refused, rounded up, or
// high if that is less. It is not below low.
func (y *tally) upper(r risks, low, high float64) float64 {
	from := min(max(low, y.got/y.weight), high)
	// Risks grow with t, so levels fall: the level at from suffices for all above it.
	t := y.end(y.reach(r.level(from)+y.log, y.variance))
	t = min(t, high)
	from = max(from, y.end(y.reach(r.level(t), y.variance))) // not refused at that level
	for range steps {
		sum, slope := y.mixture((float64(t*y.weight) - y.got) / y.c)
		risk := r.at(t)
		over := log(float64(sum*risk)) - y.log
		if over <= near || t <= from {
			break // t cannot be lower
		}
		// The log of the risk is concave: between from and t it lies above its chord.
		fall := float64(slope*y.weight)/float64(sum*y.c) + log(risk/r.at(from))/(t-from)
		t = max(t-over/fall, from)
	}
	return t
}

// within reports whether upper is t or less, with certainty if upper is a little less.
func (y *tally) within(r risks, t float64) bool {
	sum, _ := y.mixture((float64(t*y.weight) - y.got) / y.c)
	return float64(sum*r.at(t)) >= float64(y.rungs)
}

// lower returns about the largest t below which every hypothesis is refused, rounded
// down, or low if that is more: all below low are refused anyway.
func (y *tally) lower(r risks, low float64) float64 {
	// The level at low suffices for all above it; as low rises, it falls.
	for range 3 {
		t := y.end(-y.reach(r.level(low)+y.log, y.variance))
		if t <= low {
			return low
		}
		low = t
	}
	risk := r.at(low)
	for range steps {
		sum, slope := y.mixture((y.got - float64(low*y.weight)) / y.c)
		over := log(float64(sum*risk)) - y.log
		if over <= near {
			break
		}
		low += float64(over*float64(sum*y.c)) / float64(slope*y.weight)
	}
	return low
}
