package generate

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"

	"bcstage/internal/parallel"
)

// block is the number of edges that a goroutine makes at a time.
const block = 1 << 14

// inParallel makes edges on several threads (0: GOMAXPROCS); any part of the edges can be made alone. fill makes the
// edges from number `from` on. They are yielded in order, a few blocks after they are made.
func inParallel(threads int, total int64, fill func(from int64, edges [][2]uint64)) Edges {
	return func(yield func(u, v uint64) bool) {
		var spare sync.Pool // of *made
		blocks := func(yield func(func() *made) bool) {
			for from := int64(0); from < total; from += block {
				if !yield(func() *made {
					m, _ := spare.Get().(*made)
					if m == nil {
						m = &made{}
					}
					m.count = int(min(block, total-from))
					fill(from, m.edges[:m.count])
					return m
				}) {
					return
				}
			}
		}
		for m := range parallel.Ordered(cmp.Or(threads, runtime.GOMAXPROCS(0)), blocks) {
			for _, e := range m.edges[:m.count] {
				if !yield(e[0], e[1]) {
					return
				}
			}
			spare.Put(m)
		}
	}
}

// made is the edges of a block.
type made struct {
	count int
	edges [block][2]uint64
}

// pcgAt returns rand.NewPCG(seed, 0) after so many numbers. Its state is a linear congruential generator of 128 bits,
// which can skip any number of steps at once: F. Brown, "Random number generation with arbitrary strides", Trans. Am.
// Nucl. Soc. 71, 1994.
func pcgAt(seed, steps uint64) *rand.PCG {
	// A step: x = times*x + plus, as in math/rand/v2.
	times, plus := wide{2549297995355413924, 4865540595714422341}, wide{6364136223846793005, 1442695040888963407}
	x := wide{seed, 0}
	for ; steps > 0; steps >>= 1 {
		if steps&1 == 1 {
			x = x.times(times).plus(plus)
		}
		plus = times.times(plus).plus(plus) // two steps
		times = times.times(times)
	}
	state := binary.BigEndian.AppendUint64([]byte("pcg:"), x.high)
	p := new(rand.PCG)
	if err := p.UnmarshalBinary(binary.BigEndian.AppendUint64(state, x.low)); err != nil {
		panic(err) // the form of MarshalBinary
	}
	return p
}

// wide is a number of 128 bits.
type wide struct{ high, low uint64 }

func (a wide) times(b wide) wide {
	high, low := bits.Mul64(a.low, b.low)
	return wide{high + a.high*b.low + a.low*b.high, low}
}

func (a wide) plus(b wide) wide {
	low, carry := bits.Add64(a.low, b.low, 0)
	high, _ := bits.Add64(a.high, b.high, carry)
	return wide{high, low}
}
