package pairs

import (
	"math/bits"
	"sort"

	"bcstage/internal/parallel"
	"bcstage/internal/splitmix"
)

// random is a stream of numbers for one draw. It follows from the seed, the stage
// and the number of the draw, so it is the same on any thread.
type random uint64

func newRandom(seed, stage, index uint64) random {
	r := random(seed)
	r = random(r.next() ^ stage)
	r = random(r.next() ^ index)
	return random(r.next())
}

func (r *random) next() uint64 {
	*r += splitmix.Golden
	return splitmix.Mix(uint64(*r))
}

// below returns a uniform number of 0..n-1, with a bias of n/2^64.
func (r *random) below(n uint64) uint64 {
	high, _ := bits.Mul64(r.next(), n)
	return high
}

// share returns a uniform number in [0, 1).
func (r *random) share() float64 { return float64(r.next()>>11) * 0x1p-53 }

// ends draws vertices in proportion to their masses, or rows of trips in proportion to these, in O(1). In its comments, a
// vertex is either, and its mass is whole.
type ends struct {
	upTo  []uint64 // by vertex: its mass and that of all before it
	total uint64
	first []uint32 // the range of masses in as many parts as vertices: the vertex at the start of each
}

func newEnds(mass []float64, threads int) ends {
	e := ends{upTo: make([]uint64, len(mass)), first: make([]uint32, len(mass))}
	parallel.SpreadWhole(threads, len(mass), parallel.Interval, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			e.upTo[v] = uint64(mass[v])
		}
	})
	if parallel.Sums(threads, e.upTo); len(mass) > 0 {
		e.total = e.upTo[len(mass)-1]
	}
	if e.total == 0 {
		return e
	}
	parallel.SpreadWhole(threads, len(e.first), parallel.Interval, func(lo, hi int) {
		start := e.start(lo)
		v := sort.Search(len(mass)-1, func(v int) bool { return e.upTo[v] > start })
		for part := lo; part < hi; part++ {
			for start = e.start(part); v+1 < len(mass) && e.upTo[v] <= start; v++ {
			}
			e.first[part] = uint32(v)
		}
	})
	return e
}

// start returns the least mass in a part.
func (e *ends) start(part int) uint64 {
	high, low := bits.Mul64(uint64(part), e.total)
	start, rest := bits.Div64(high, low, uint64(len(e.first)))
	if rest > 0 {
		start++
	}
	return start
}

// draw returns a vertex, and the unit of its mass that was drawn.
func (e *ends) draw(r *random) (v uint32, unit uint64) {
	at := r.below(e.total)
	v = e.at(at)
	if v > 0 {
		at -= e.upTo[v-1]
	}
	return v, at
}

// at returns the vertex that a unit of mass belongs to.
func (e *ends) at(at uint64) uint32 {
	high, low := bits.Mul64(at, uint64(len(e.first)))
	part, _ := bits.Div64(high, low, e.total)
	v := e.first[part]
	for e.upTo[v] <= at {
		v++
	}
	return v
}
