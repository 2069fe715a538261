package pipeline

import (
	"cmp"
	"math"
	"math/big"

	"bcstage/internal/building"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// oneText is the value of 1 in the searches' distances, as a fraction, if columns consist of distances by lengths;
// otherwise "".
func oneText(asked question.Question, scale building.Scale) string {
	if asked.Lengths.Column == "" || !asked.Searches(measures.Distances) && !asked.Searches(measures.Reached) {
		return ""
	}
	return scale.One().RatString()
}

// unit converts numbers of searches to the column's own.
type unit struct {
	one             *big.Rat
	factor, divisor float64
	exact           bool // both are
}

func newUnit(one *big.Rat) unit {
	number, denominator := new(big.Float).SetInt(one.Num()), new(big.Float).SetInt(one.Denom())
	small := func(x *big.Float) bool { return x.MinPrec() <= 53 && x.MantExp(nil) <= 53 }
	u := unit{one: one, exact: small(number) && small(denominator)}
	u.factor, _ = number.Float64()
	u.divisor, _ = denominator.Float64()
	return u
}

// of converts a number, rounded once if it is a whole number below 2^53.
func (u unit) of(x float64) float64 {
	if product := x * u.factor; u.exact && (product < 1<<53 || x != math.Trunc(x)) {
		return product / u.divisor
	}
	value, _ := new(big.Rat).Mul(u.one, new(big.Rat).SetFloat64(x)).Float64()
	return value
}

// list converts the numbers of a list in place.
func (u unit) list(list []float64) []float64 {
	for i, x := range list {
		list[i] = u.of(x)
	}
	return list
}

// flowUnit is the unit of flows, for people.
func flowUnit(q question.Question) string {
	switch {
	case q.HasTrips():
		return q.Trips.Column
	case q.Gravity.Constrained != "":
		return cmp.Or(q.Origins.Column, "1")
	}
	return cmp.Or(q.Origins.Column, "1") + " x " + cmp.Or(q.Destinations.Column, "1")
}

// flowOne is the value of 1 in the sums of a question with masses; otherwise 1.
func flowOne(q question.Question) unit {
	if q.HasTrips() {
		return tripOne(q)
	}
	one := building.Scale{Unit: q.Origins.Unit}.One()
	if q.Gravity.Constrained == "" {
		one.Mul(one, building.Scale{Unit: q.Destinations.Unit}.One())
	}
	return newUnit(one)
}

// tripOne is the value of 1 in sums of trips.
func tripOne(q question.Question) unit {
	return newUnit(building.Scale{Unit: q.Trips.Unit}.One())
}

// reachedOne is the value of 1 in the sums of a measure of the reached masses. Distances are multiples of one, if
// lengths have it, otherwise edges.
func reachedOne(q question.Question, m measures.Measure, one *big.Rat) unit {
	mass := building.Scale{Unit: q.Destinations.Unit}.One()
	switch {
	case one == nil:
	case m.Name == measures.WeightedFarness:
		mass.Mul(mass, one)
	case m.Name == measures.WeightedHarmonic:
		mass.Quo(mass, one)
	}
	return newUnit(mass)
}
