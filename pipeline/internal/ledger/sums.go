package ledger

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"bcstage/internal/measures"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// sums adds non-negative float64 terms per vertex in 128-bit fixed point.
// Integer addition is associative, so the bits of the totals do not depend on the order of the terms: not on threads,
// shards, restarts or engines' speeds. (The idea is that of the long accumulator: U. Kulisch, "Computer Arithmetic and
// Validity", 2008, cut to the necessary range.)
//
// Range: the terms of one vertex sum to at most n^2 ordered pairs, which fixes the integer bits; the other bits are
// fraction. Each term is rounded to the fraction once. The smallest non-zero score of a vertex is 1/n: it lies between
// two of its neighbours, which have at most n common neighbours. So with n = 2^20 and 2^14 batches the rounding stays
// below 2^-50 of any score.
type sums struct {
	fraction int // fraction bits
	words    []word
}

type word struct{ high, low uint64 }

const wordBytes = 16

// accessFraction leaves room for the target masses that a vertex of n reaches. Masses times distances by lengths have
// no limit but are whole numbers below 2^116.
func accessFraction(m measures.Measure, q question.Question, n int) int {
	whole := 1 + q.Destinations.Bits(n)
	if m.Name == measures.WeightedFarness {
		if q.Lengths.Column != "" {
			return 0
		}
		whole += bits.Len(uint(n))
	}
	return min(128-whole, wholes.MostFraction)
}

// newSumsOf returns sums for n vertices, with so many fraction bits.
func newSumsOf(n, fraction int) *sums { return &sums{fraction: fraction, words: make([]word, n)} }

// add adds a finite x >= 0 to vertex v.
func (s *sums) add(v uint32, x float64) {
	if x != 0 {
		s.words[v].plus(s.round(x))
	}
}

// addEach adds a finite x >= 0 to each of some vertices, or edges.
func (s *sums) addEach(list []uint32, x float64) {
	if x == 0 {
		return
	}
	term := s.round(x)
	for _, v := range list {
		s.words[v].plus(term)
	}
}

// addRows adds terms[i] to vertices[first[i]:first[i+1]], or to vertices[i] where first is nil.
func (s *sums) addRows(first, vertices []uint32, terms []float64) {
	if first == nil {
		s.addAll(vertices, terms, nil)
		return
	}
	for i, x := range terms {
		s.addEach(vertices[first[i]:first[i+1]], x)
	}
}

// round rounds a finite x >= 0 to the grid.
func (s *sums) round(x float64) word {
	pattern := math.Float64bits(x)
	exponent := int(pattern >> 52)
	mantissa := pattern & (1<<52 - 1)
	if exponent == 0 {
		exponent = 1 // subnormal
	} else {
		mantissa |= 1 << 52
	}
	// x = mantissa * 2^(exponent-1075); on the grid: mantissa << shift.
	shift := exponent - 1075 + s.fraction
	var high, low uint64
	switch {
	case shift <= -54:
		return word{} // less than half a grid step
	case shift < 0:
		low = (mantissa + 1<<(-shift-1)) >> -shift // round half up: independent of the order
	case shift < 64:
		low = mantissa << shift
		high = mantissa >> (64 - shift)
	default:
		high = mantissa << (shift - 64)
	}
	return word{high, low}
}

// addAll adds each term to its vertex, or edge. Edges are many, and most terms are 0 in most batches. at lists the
// terms that are not 0; nil: unknown. They are then found first, without a branch that cannot be predicted.
func (s *sums) addAll(vertices []uint32, terms []float64, at []uint32) {
	if at != nil && len(at) > len(terms)/8*7 {
		s.addMost(vertices, terms)
		return
	}
	if at != nil {
		s.addSome(vertices, terms, at)
		return
	}
	var some [512]uint32
	for len(terms) > 0 {
		here, count := min(len(terms), len(some)), 0
		for i, x := range terms[:here] {
			some[count] = uint32(i)
			pattern := math.Float64bits(x) << 1 // -0 is 0
			count += int((pattern | -pattern) >> 63)
		}
		s.addSome(vertices, terms, some[:count])
		vertices, terms = vertices[here:], terms[here:]
	}
}

// addAllOn is addAll on at most so many goroutines, where no two terms are of one vertex.
func (s *sums) addAllOn(threads int, vertices []uint32, terms []float64, at []uint32) {
	const grain = 1 << 15
	parts := min(threads, len(terms)/grain)
	if at != nil || parts < 2 {
		s.addAll(vertices, terms, at)
		return
	}
	var all sync.WaitGroup
	cut := func(i int) int { // copies of an edge stand together
		at := i * len(terms) / parts
		for at > 0 && at < len(terms) && vertices[at] == vertices[at-1] {
			at++
		}
		return at
	}
	for i := range parts {
		lo, hi := cut(i), cut(i+1)
		all.Go(func() { s.addAll(vertices[lo:hi], terms[lo:hi], nil) })
	}
	all.Wait()
}

// addSome adds the terms at some places.
func (s *sums) addSome(vertices []uint32, terms []float64, some []uint32) {
	for _, i := range some {
		x := terms[i]
		if shift, low := s.shiftOf(x); low {
			s.words[vertices[i]].plusShifted(x, shift)
		} else {
			s.add(vertices[i], x)
		}
	}
}

// addMost adds terms of which few are 0, without a search for those.
func (s *sums) addMost(vertices []uint32, terms []float64) {
	vertices, words := vertices[:len(terms)], s.words
	for i, x := range terms {
		if shift, low := s.shiftOf(x); low {
			words[vertices[i]].plusShifted(x, shift)
		} else {
			s.add(vertices[i], x)
		}
	}
}

// shiftOf is the shift of the mantissa of x to the grid. low reports that x is a whole number of grid steps, above 0,
// and begins in the lower word, as nearly all terms do.
func (s *sums) shiftOf(x float64) (shift uint, low bool) {
	shift = uint(int(math.Float64bits(x)>>52) - 1075 + s.fraction)
	return shift, shift < 64
}

// plusShifted adds a term by its shiftOf. It is inlined: the compiler needs no code for larger shifts.
func (a *word) plusShifted(x float64, shift uint) {
	mantissa := math.Float64bits(x)&(1<<52-1) | 1<<52
	var carry uint64
	a.low, carry = bits.Add64(a.low, mantissa<<(shift&63), 0)
	a.high, _ = bits.Add64(a.high, mantissa>>1>>(^shift&63), carry)
}

// whole is x units of 2^-point; x * 2^-point must fit in the sums (see wholes.Fraction).
func (s *sums) whole(x uint64, point int) word {
	shift := s.fraction - point // never below 0: with 2^31 vertices the fraction has 63 bits
	if shift >= 64 {
		return word{high: x << (shift - 64)}
	}
	return word{high: x >> (64 - shift), low: x << shift}
}

// addWhole adds x units of 2^-point to vertex v.
func (s *sums) addWhole(v uint32, x uint64, point int) { s.words[v].plus(s.whole(x, point)) }

// raise makes vertex v at least x.
func (s *sums) raise(v uint32, x uint64) { s.words[v] = greater(s.words[v], s.whole(x, 0)) }

// integer is the sum of vertex v without its fraction.
func (s *sums) integer(v int) int64 {
	w := s.words[v]
	if s.fraction >= 64 {
		return int64(w.high >> (s.fraction - 64))
	}
	return int64(w.high<<(64-s.fraction) | w.low>>s.fraction)
}

// value is the sum of vertex v, rounded to nearest.
func (s *sums) value(v int) float64 {
	w := s.words[v]
	if w.high == 0 {
		return math.Ldexp(float64(w.low), -s.fraction)
	}
	// The top 64 bits, with the rest as a sticky bit, round as the whole number does.
	zeros := bits.LeadingZeros64(w.high)
	top := w.high<<zeros | w.low>>(64-zeros)
	if w.low<<zeros != 0 {
		top |= 1
	}
	return math.Ldexp(float64(top), 64-zeros-s.fraction)
}

// plus adds b to a, modulo 2^128.
func (a *word) plus(b word) {
	var carry uint64
	a.low, carry = bits.Add64(a.low, b.low, 0)
	a.high, _ = bits.Add64(a.high, b.high, carry)
}

// total is the sum of all vertices modulo 2^128.
func (s *sums) total() string {
	var total word
	for _, w := range s.words {
		total.plus(w)
	}
	return fmt.Sprintf("%016x%016x", total.high, total.low)
}

// greater returns the greater of two.
func greater(a, b word) word {
	if a.high < b.high || a.high == b.high && a.low < b.low {
		return b
	}
	return a
}
