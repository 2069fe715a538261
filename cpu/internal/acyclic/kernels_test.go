package acyclic

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// randomFrame returns a frame of random state, possible in a search or not: distances that do not
// fit the arcs, and counts of any size.
func randomFrame(r *rand.Rand) *frame {
	n := 2 + r.IntN(30)
	b := testblocks.Flows(testblocks.Acyclic(r, n, r.IntN(4*n), lanes))
	f := &frame{arcs: arcs{offsets: b.Offsets, targets: b.Targets}, weight: b.To, limit: int64(1 + r.IntN(40)), full: r.Uint32() & r.Uint32()}
	f.arcFlow, f.flowGot = b.Flows.Of, r.Float64()
	for range b.Targets {
		f.lengths = append(f.lengths, 1+r.Int64N(3))
	}
	for range b.Flows.Count() {
		f.flows = append(f.flows, r.Float64())
	}
	for v := range uint32(n) {
		if r.IntN(4) > 0 {
			f.list = append(f.list, v)
		}
		f.start, f.met, f.scores = append(f.start, 0), append(f.met, 0), append(f.scores, r.Float64())
	}
	if r.IntN(2) == 0 {
		for range n {
			f.multiplicity = append(f.multiplicity, float64(1+r.IntN(4)))
		}
	}
	for i := range n * lanes {
		d := int16(r.IntN(6))
		switch r.IntN(8) {
		case 0:
			d = farShort
		case 1:
			d = int16(r.IntN(60))
		}
		if r.IntN(40) == 0 {
			d = 0
			f.start[i/lanes] |= 1 << (i % lanes)
		}
		f.short, f.narrow = append(f.short, d), append(f.narrow, int32(d))
		if d == farShort {
			f.narrow[i] = farNarrow
		}
		f.counts, f.rows = append(f.counts, uint16(r.Uint32()>>(16+r.IntN(16)))), append(f.rows, r.ExpFloat64())
		if r.IntN(20) == 0 {
			f.counts[i] = fullCount - uint16(r.IntN(2))
		}
	}
	for i := range lanes {
		f.source[i], f.most[i], f.reached[i] = float64(r.IntN(9)), r.Float64(), r.Float64()
		f.away[i], f.got[i], f.own[i] = r.Float64(), r.Float64(), r.Float64()
	}
	return f
}

// copied returns a deep copy.
func (f *frame) copied() *frame {
	c := *f
	c.short, c.narrow, c.counts, c.rows = slices.Clone(f.short), slices.Clone(f.narrow), slices.Clone(f.counts), slices.Clone(f.rows)
	c.scores, c.flows, c.met = slices.Clone(f.scores), slices.Clone(f.flows), slices.Clone(f.met)
	return &c
}

// Kernels of every set change the frame as kernels in Go do, to the bit.
func TestTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 10))
	for _, set := range []string{"avx2", "avx512"} {
		short, narrow := portable(shortRows), portable(narrowRows)
		fastShort, fastNarrow := short, narrow
		withKernels(set, &fastShort, &fastNarrow)
		for round := range 2000 / testgraphs.OneIn {
			f := randomFrame(r)
			from := r.IntN(len(f.list) + 1)
			to := from + r.IntN(len(f.list)-from+1)
			for name, pair := range map[string][2]kernels{"short": {short, fastShort}, "narrow": {narrow, fastNarrow}} {
				f.isNarrow = name == "narrow"
				for i, kernel := range []func(kernels) func(*frame, int, int){
					func(k kernels) func(*frame, int, int) { f.many = false; return k.forward },
					func(k kernels) func(*frame, int, int) { f.many = true; return k.forward },
					func(k kernels) func(*frame, int, int) { return k.relax },
					func(k kernels) func(*frame, int, int) { f.sends = false; return k.backward },
					func(k kernels) func(*frame, int, int) { f.sends = true; return k.backward },
				} {
					twin, fast := kernel(pair[0]), kernel(pair[1])
					want, got := f.copied(), f.copied()
					twin(want, from, to)
					fast(got, from, to)
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("%s, round %d, kernel %d of %s distances: %s\nwant %s", set, round, i, name, fmt.Sprint(*got), fmt.Sprint(*want))
					}
				}
			}
		}
	}
}
