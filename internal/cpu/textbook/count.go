package textbook

import "math"

// count is a path count without an upper limit: mantissa * 2^exponent with
// 0.5 <= mantissa < 1 and exponent >= 1, or 0 with both 0. Sums and
// ratios are rounded as those of float64.
type count struct {
	mantissa float64
	exponent int64
}

// add adds b. Most counts of a level have equal exponents, so this case is computed in line.
func (a *count) add(b count) {
	if a.exponent != b.exponent {
		a.addShifted(b)
		return
	}
	a.mantissa = (a.mantissa + b.mantissa) / 2
	a.exponent++
}

// addShifted is add for any exponents.
func (a *count) addShifted(b count) {
	if a.exponent < b.exponent {
		*a, b = b, *a
	}
	apart := a.exponent - b.exponent
	if b.mantissa == 0 || apart > 64 { // b is too small to change a
		return
	}
	a.mantissa += b.mantissa * power(-apart)
	if a.mantissa >= 1 {
		a.mantissa /= 2
		a.exponent++
	}
}

// times returns a*x for a whole number x.
func (a count) times(x float64) count {
	if x == 1 {
		return a
	}
	mantissa, shift := math.Frexp(a.mantissa * x)
	return count{mantissa, a.exponent + int64(shift)}
}

// over returns a/b; the ratio rounds to zero below the range of float64, and is inf above.
func (a count) over(b count) float64 {
	ratio, exponent := a.mantissa/b.mantissa, a.exponent-b.exponent
	if exponent < -1000 || exponent > 1000 {
		return far(ratio, exponent)
	}
	return ratio * power(exponent)
}

// far returns x * 2^exponent where the result may pass the range of float64.
func far(x float64, exponent int64) float64 {
	return math.Ldexp(x, int(max(math.MinInt32, min(exponent, math.MaxInt32))))
}

// float64 returns the count, or inf.
func (a count) float64() float64 { return a.over(count{0.5, 1}) }

// power returns 2^exponent, which must be an ordinary number.
func power(exponent int64) float64 { return math.Float64frombits(uint64(1023+exponent) << 52) }
