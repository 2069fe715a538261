package building

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bcstage/internal/csr"
)

// Weights is one column of lengths as decimal numbers: row i is Digits[i] * 10^Exponents[i],
// Digits at least 1. Exponents is nil if all are 0. High is nil if all Digits fit; else
// (High[i] * 2^64 + uint64(Digits[i])) replaces them. Rounded rows differ from the written
// numbers, by Error at most.
//
// Numbers are decimal because people write decimals: 0.1 + 0.2 is as long as 0.3, unlike the
// nearest binary fractions.
type Weights struct {
	Digits    []int64
	Exponents []int16
	High      []int64

	Rounded int64
	Error   float64
}

// Len returns the number of rows.
func (w Weights) Len() int { return len(w.Digits) }

// exponent returns that of row i.
func (w Weights) exponent(i int) int {
	if w.Exponents == nil {
		return 0
	}
	return int(w.Exponents[i])
}

// digits returns those of row i, as a number of 128 bits.
func (w Weights) digits(i int) (high, low uint64) {
	if w.High != nil {
		high = uint64(w.High[i])
	}
	return high, uint64(w.Digits[i])
}

// set sets x to the digits of row i.
func (w Weights) set(x *big.Int, i int) *big.Int {
	high, low := w.digits(i)
	x.SetUint64(high)
	return x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(low))
}

// float64 returns the number nearest to row i.
func (w Weights) float64(i int) float64 {
	high, low := w.digits(i)
	if high == 0 && w.exponent(i) == 0 {
		return float64(low)
	}
	text := strconv.AppendUint(nil, low, 10)
	if high != 0 {
		text = w.set(new(big.Int), i).Append(nil, 10)
	}
	x, _ := strconv.ParseFloat(string(strconv.AppendInt(append(text, 'e'), int64(w.exponent(i)), 10)), 64)
	return x // too large: +Inf
}

// Text returns row i as a decimal number.
func (w Weights) Text(i int) string { return decimalText(w.set(new(big.Int), i), w.exponent(i)) }

// hash is the same for equal numbers, and differs for almost all others. It has 64 bits, so
// that collisions are unlikely among 10^8 numbers.
func (w Weights) hash(i int) uint64 {
	high, low := w.digits(i)
	exponent := w.exponent(i)
	for { // 100 is 1e2
		first, remainder := high/10, high%10
		second, rest := bits.Div64(remainder, low, 10)
		if rest != 0 {
			break
		}
		high, low, exponent = first, second, exponent+1
	}
	mix := func(x uint64) uint64 { // S. Vigna's splitmix64
		x += 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		return x ^ x>>31
	}
	return mix(low ^ mix(high^mix(uint64(exponent))))
}

// decimalText returns digits * 10^exponent, without an exponent unless that is far from 0.
func decimalText(digits *big.Int, exponent int) string {
	text := digits.String()
	switch {
	case exponent > 20 || exponent < -40:
		return text + "e" + strconv.Itoa(exponent)
	case exponent >= 0:
		return text + strings.Repeat("0", exponent)
	}
	if short := 1 - exponent - len(text); short > 0 {
		text = strings.Repeat("0", short) + text
	}
	point := len(text) + exponent
	return strings.TrimRight(strings.TrimRight(text[:point]+"."+text[point:], "0"), ".")
}

// copied returns w in memory of its own.
func (w Weights) copied() Weights {
	c := Weights{Digits: slices.Clone(w.Digits), Rounded: w.Rounded, Error: w.Error}
	if slices.ContainsFunc(w.Exponents, func(e int16) bool { return e != 0 }) {
		c.Exponents = slices.Clone(w.Exponents)
	}
	c.High = slices.Clone(w.High)
	return c
}

func (w Weights) check(rows int) error {
	if w.Len() != rows || w.Exponents != nil && len(w.Exponents) != rows || w.High != nil && len(w.High) != rows {
		return fmt.Errorf("%w: %d digits, %d of them high, and %d exponents for %d edges", ErrLengths, len(w.Digits), len(w.High), len(w.Exponents), rows)
	}
	for row, digits := range w.Digits {
		if w.High == nil && digits < 1 || w.High != nil && (w.High[row] < 0 || w.High[row] == 0 && digits == 0) {
			return fmt.Errorf("%w: %d at row %d", ErrLengths, digits, row)
		}
	}
	return nil
}

// exactly computes numbers that do not fit an int64.
type exactly struct{ number, power, rest big.Int }

// mostPlaces is the largest shift of a number, in places. Beyond it, a number has surely more
// than 128 bits, or so many that no sum of it fits.
const mostPlaces = 60

// whole returns row i in units of 10^-places. ok is false if the row has more places, or far
// more digits than fit. The next call overwrites it.
func (e *exactly) whole(of Weights, i, places int) (x *big.Int, ok bool) {
	shift := places + of.exponent(i)
	if shift < 0 || shift > mostPlaces {
		return nil, false
	}
	of.set(&e.number, i)
	if shift > 0 {
		e.number.Mul(&e.number, e.powerOfTen(shift))
	}
	return &e.number, true
}

func (e *exactly) powerOfTen(k int) *big.Int {
	return e.power.Exp(big.NewInt(10), e.power.SetInt64(int64(k)), nil)
}

// rounded returns row i in units of 2^-shift, rounded to nearest even, and the loss in the
// column's own unit.
func (e *exactly) rounded(of Weights, i, shift int) (length int64, lost float64) {
	high, low := of.digits(i)
	exponent := of.exponent(i)
	if high == 0 && -19 <= exponent && exponent <= 0 && 0 <= shift && shift < 64 {
		by := uint64(1)
		for range -exponent {
			by *= 10
		}
		above, below := bits.Mul64(low, 1<<shift)
		if above < by {
			quotient, rest := bits.Div64(above, below, by)
			up := rest > by-rest || rest == by-rest && quotient%2 == 1
			if up {
				quotient, rest = quotient+1, by-rest
			}
			return int64(quotient), math.Ldexp(float64(rest)/float64(by), -shift)
		}
	}
	number, by := of.set(&e.number, i), big.NewInt(1)
	if exponent >= 0 {
		number.Mul(number, e.powerOfTen(exponent))
	} else {
		by.Set(e.powerOfTen(-exponent))
	}
	if shift >= 0 {
		number.Lsh(number, uint(shift))
	} else {
		by.Lsh(by, uint(-shift))
	}
	rest := &e.rest
	number.QuoRem(number, by, rest)
	other := new(big.Int).Sub(by, rest)
	if c := rest.Cmp(other); c > 0 || c == 0 && number.Bit(0) == 1 {
		number.Add(number, big.NewInt(1))
		rest = other
	}
	share, _ := new(big.Rat).SetFrac(rest, by).Float64()
	lost = math.Ldexp(share, -shift)
	if lost == 0 && rest.Sign() > 0 {
		lost = math.SmallestNonzeroFloat64
	}
	return number.Int64(), lost
}

// findCommon finds the common divisor of all lengths, if the longest path then fits: whole
// numbers of wei, or of nanoseconds, have many needless digits. Else common stays nil.
func (w *weighing) findCommon(path float64) error {
	common, rest := new(big.Int), new(big.Int)
	for of, i := range w.given() {
		x, ok := w.exactly.whole(of, i, w.places)
		if !ok {
			return nil
		}
		if common.Sign() == 0 {
			common.Set(x)
		} else if rest.Rem(x, common).Sign() != 0 {
			common.GCD(nil, nil, common, x)
		}
		if common.IsInt64() && common.Int64() == 1 {
			return nil
		}
	}
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	if by, _ := new(big.Float).SetInt(common).Float64(); common.Sign() == 0 || path/by*math.Pow10(w.places) >= 1<<csr.LongestPath {
		return nil
	}
	w.common = common
	if !w.divided(1) {
		w.common = nil
	}
	return nil
}

// divided sets the unit and the divisor of lengths that are divided by their common divisor,
// times by. Powers of ten move to the unit as long as the divisor does not fit.
func (w *weighing) divided(by int64) (fits bool) {
	divisor, rest := new(big.Int).Mul(w.common, big.NewInt(by)), new(big.Int)
	places, ten := w.places, big.NewInt(10)
	for !divisor.IsInt64() {
		quotient, rest := new(big.Int).QuoRem(divisor, ten, rest)
		if rest.Sign() != 0 {
			return false
		}
		divisor, places = quotient, places-1
	}
	switch w.scale.Divisor = divisor.Int64(); {
	case places == 0:
		w.scale.Unit = ""
	default:
		w.scale.Unit = fmt.Sprintf("10^%d", -places)
	}
	return true
}
