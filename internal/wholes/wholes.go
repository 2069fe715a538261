// Package wholes has whole numbers of 128 bits, and lists of them that have 64 bits where these suffice: closed forms.
package wholes

import (
	"math"
	"math/bits"
)

// Wide is a whole number of 128 bits in two's complement, for sums of products of masses. The zero value is 0.
// Sums and differences are exact, whatever their order; products of two totals fit (see building.MostMass).
type Wide struct{ high, low uint64 }

// Plus is w + x*y, with x and y not negative.
func (w Wide) Plus(x, y int64) Wide {
	high, low := bits.Mul64(uint64(x), uint64(y))
	return w.And(Wide{high, low})
}

// Minus is w - x*y.
func (w Wide) Minus(x, y int64) Wide {
	high, low := bits.Mul64(uint64(x), uint64(y))
	return w.Less(Wide{high, low})
}

// And is w + x.
func (w Wide) And(x Wide) Wide {
	low, carry := bits.Add64(w.low, x.low, 0)
	high, _ := bits.Add64(w.high, x.high, carry)
	return Wide{high, low}
}

// Less is w - x.
func (w Wide) Less(x Wide) Wide {
	low, borrow := bits.Sub64(w.low, x.low, 0)
	high, _ := bits.Sub64(w.high, x.high, borrow)
	return Wide{high, low}
}

// Half is w/2, and whether w is even.
func (w Wide) Half() (half Wide, even bool) {
	return Wide{uint64(int64(w.high) >> 1), w.low>>1 | w.high<<63}, w.low%2 == 0
}

// whole is w, if it fits.
func (w Wide) whole() (x int64, fits bool) {
	x = int64(w.low)
	return x, int64(w.high) == x>>63
}

// Float is the nearest float64.
func (w Wide) Float() float64 {
	if x, fits := w.whole(); fits {
		return float64(x)
	}
	if int64(w.high) < 0 {
		return -(Wide{}).Less(w).Float()
	}
	if w.high == 0 {
		return float64(w.low)
	}
	// The top 64 bits, with the rest as a sticky bit, round as all of them would.
	zeros := bits.LeadingZeros64(w.high)
	top := w.high<<zeros | w.low>>(64-zeros)
	if w.low<<zeros != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), 64-zeros)
}

// Forms are closed forms by graph vertex, or by edge. They are whole numbers of 64 bits where vertices are
// counted, and of 128 bits where they have masses. Where pairs count in part, they are multiples of 2^-Fraction, of 128
// bits. The zero value has none.
type Forms struct {
	Low      []int64 // modulo 2^64
	High     []int64 // the bits above Low, in two's complement; nil: all numbers fit Low
	Fraction int     // 0 unless pairs count in part
}

func NewForms(count int, wide bool) Forms {
	f := Forms{Low: make([]int64, count)}
	if wide {
		f.High = make([]int64, count)
	}
	return f
}

// MostFraction keeps tiny graphs from a grid finer than any term.
const MostFraction = 110

// Fraction is the number of fraction bits that leave room for n*n, the largest sum over ordered pairs of n vertices.
func Fraction(n int) int { return min(128-(2*bits.Len(uint(n))+1), MostFraction) }

// From returns the numbers from one on.
func (f Forms) From(first int) Forms {
	f.Low = f.Low[first:]
	if f.High != nil {
		f.High = f.High[first:]
	}
	return f
}

// Some reports whether there are any.
func (f Forms) Some() bool { return f.Low != nil }

// At is number i.
func (f Forms) At(i int) Wide {
	if f.High == nil {
		return Wide{uint64(f.Low[i] >> 63), uint64(f.Low[i])}
	}
	return Wide{uint64(f.High[i]), uint64(f.Low[i])}
}

func (f Forms) set(i uint32, w Wide) { f.Low[i], f.High[i] = int64(w.low), int64(w.high) }

// Restore turns, in place, sums of search results into scores: closed form + sum. The sums are over ordered pairs;
// unless scores are, too, a score is half of that.
func (f Forms) Restore(ordered bool, sums []float64) {
	each := 2.0
	if ordered {
		each = 1
	}
	for i := range sums {
		sums[i] = (math.Ldexp(f.At(i).Float(), -f.Fraction) + sums[i]) / each
	}
}

// Add adds x*y to number i, with x and y not negative.
func (f Forms) Add(i uint32, x, y int64) {
	if x == 0 || y == 0 { // nearly all, where few vertices have masses
		return
	}
	if f.High == nil {
		f.Low[i] += x * y
		return
	}
	f.set(i, f.At(int(i)).Plus(x, y))
}

// AddPart adds a finite x >= 0 to number i: rounded to the grid where pairs count in part, else whole.
func (f Forms) AddPart(i uint32, x float64) {
	if f.Fraction == 0 {
		f.Add(i, int64(x), 1)
		return
	}
	half, exponent := math.Frexp(x)
	mantissa, shift := uint64(math.Ldexp(half, 53)), exponent-53+f.Fraction
	switch {
	case shift <= -54: // less than half a step
	case shift < 0:
		f.AddWide(i, Wide{low: (mantissa + 1<<(-shift-1)) >> -shift})
	case shift < 64:
		f.AddWide(i, Wide{mantissa >> (64 - shift), mantissa << shift})
	default:
		f.AddWide(i, Wide{high: mantissa << (shift - 64)})
	}
}

// Sub subtracts x*y from number i.
func (f Forms) Sub(i uint32, x, y int64) {
	if f.High == nil {
		f.Low[i] -= x * y
		return
	}
	f.set(i, f.At(int(i)).Minus(x, y))
}

// AddWide adds w to number i.
func (f Forms) AddWide(i uint32, w Wide) {
	if f.High == nil {
		f.Low[i] += int64(w.low)
		return
	}
	f.set(i, f.At(int(i)).And(w))
}

// Floats returns whole numbers as float64; nil of nil.
func Floats(whole []int64) []float64 {
	if whole == nil {
		return nil
	}
	list := make([]float64, len(whole))
	for i, x := range whole {
		list[i] = float64(x)
	}
	return list
}

// Divisor returns the greatest common divisor; of x and 0 it is x.
func Divisor(x, y int64) int64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}
