package building

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"bcstage/internal/parallel"
)

// MassUnits are masses as whole numbers of a unit, so that sums and differences are exact in any order of rows.
// The unit is the power of ten of the last digit of all masses, if their total is then at most MostMass. Else it
// is a power of two that makes the total small enough, and masses are rounded.
type MassUnits struct {
	Masses []int64
	Unit   string // "10^-2", "2^-46", "2^3"; empty for 1: see question.Masses
	Total  int64

	Rounded int64   // masses that differ from the written number
	Error   float64 // largest difference, in the column's own numbers
}

// MassUnitsOf converts decimal numbers, whose Digits may be 0. The only error is the context's.
func MassUnitsOf(ctx context.Context, w Weights) (MassUnits, error) {
	u := MassUnits{Masses: make([]int64, w.Len()), Rounded: w.Rounded, Error: w.Error}
	places, largest := math.MinInt, 0.0
	for i := range parallel.Until(ctx, len(u.Masses)) {
		if high, low := w.digits(i); high|low != 0 {
			places, largest = max(places, -w.exponent(i)), max(largest, w.float64(i))
		}
	}
	if largest == 0 {
		return u, ctx.Err()
	}
	var e exactly
	if u.exact(ctx, &e, w, places) {
		u.Unit = unitOf(10, -places)
		return u, ctx.Err()
	}
	// 2^most exceeds the total, by exponents alone, whatever the order of rows.
	_, most := math.Frexp(largest)
	most += bits.Len(uint(w.Len()))
	shift := 52 - most
	u.Unit, u.Total = unitOf(2, -shift), 0
	for i := range parallel.Until(ctx, len(u.Masses)) {
		mass, lost := e.rounded(w, i, shift)
		u.Masses[i] = mass
		if u.Total += mass; lost != 0 {
			u.Rounded++
			u.Error = max(u.Error, lost)
		}
	}
	return u, ctx.Err()
}

// exact fills in masses in units of 10^-places; false if they do not fit or the context ends.
func (u *MassUnits) exact(ctx context.Context, e *exactly, w Weights, places int) bool {
	for i := range parallel.Until(ctx, len(u.Masses)) {
		switch high, low := w.digits(i); {
		case high|low == 0:
			continue
		case high == 0 && w.exponent(i) == -places && low <= uint64(MostMass-u.Total): // most rows
			u.Masses[i] = int64(low)
			u.Total += u.Masses[i]
			continue
		}
		x, ok := e.whole(w, i, places)
		if !ok || !x.IsInt64() || x.Int64() > MostMass-u.Total {
			return false
		}
		u.Masses[i] = x.Int64()
		u.Total += u.Masses[i]
	}
	return true
}

func unitOf(base, exponent int) string {
	if exponent == 0 {
		return ""
	}
	return fmt.Sprintf("%d^%d", base, exponent)
}

// MostMass is the largest sum of the masses of all vertices, as sources or as targets. Whole numbers up to it are
// exact in float64, so that engines add and subtract masses exactly.
const MostMass = 1<<53 - 1
