package generate

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync"
)

// block is the number of edges that a goroutine makes at a time.
const block = 1 << 14

// inParallel makes edges on several threads (0: GOMAXPROCS); any part of the edges can be made alone. fill makes the
// edges from number `from` on. They are yielded in order, a few blocks after they are made.
func inParallel(threads int, total int64, fill func(from int64, edges [][2]uint64)) Edges {
	return func(yield func(u, v uint64) bool) {
		makers := int64(cmp.Or(threads, runtime.GOMAXPROCS(0)))
		makers = max(min(makers, (total+block-1)/block), 1)
		done := make(chan struct{})
		var group sync.WaitGroup
		defer group.Wait()
		defer close(done)
		made, free := make([]chan [][2]uint64, makers), make([]chan [][2]uint64, makers) // by maker
		for m := range makers {
			made[m], free[m] = make(chan [][2]uint64, 2), make(chan [][2]uint64, 2)
			free[m] <- make([][2]uint64, min(block, total))
			free[m] <- make([][2]uint64, min(block, total))
			group.Go(func() {
				for from := m * block; from < total; from += makers * block {
					var edges [][2]uint64
					select {
					case edges = <-free[m]:
					case <-done:
						return
					}
					edges = edges[:min(block, total-from)]
					fill(from, edges)
					made[m] <- edges // the channel has room for both
				}
			})
		}
		for number := int64(0); number*block < total; number++ {
			m := number % makers
			edges := <-made[m]
			for _, e := range edges {
				if !yield(e[0], e[1]) {
					return
				}
			}
			free[m] <- edges
		}
	}
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
