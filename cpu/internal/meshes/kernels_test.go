package meshes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// randomFrame returns a frame of random state, possible in a search or not, and its rows.
func randomFrame(r *rand.Rand) (*frame, []float64) {
	n := 1 + r.IntN(40)
	b := testblocks.Of(n, testgraphs.Random(r, n, n, r.IntN(4*n)), 1)
	some := func() uint64 { return r.Uint64()&r.Uint64() | -(r.Uint64() & 1) }
	f := &frame{weight: b.To, targets: b.Targets, visits: margin, ahead: r.IntN(margin), everyLane: ^uint64(0) >> r.IntN(lanes), rowLoads: r.Int64N(100)}
	for _, x := range b.Offsets {
		f.offsets = append(f.offsets, uint32(x))
	}
	most := 1 + r.IntN(12)
	for range n * lanes {
		level := uint16(r.IntN(most))
		if r.IntN(50) == 0 {
			level = uint16(r.IntN(300))
		}
		f.levels = append(f.levels, level)
	}
	f.buckets = make([][8]float64, 300)
	for range len(f.buckets) + 1 {
		f.shareOf = append(f.shareOf, 2*r.Float64())
	}
	hop := r.Float64()
	f.hop = [4]float64{hop, hop, hop, hop}
	for _, v := range r.Perm(n) {
		f.order = append(f.order, uint32(v))
		f.done = append(f.done, some())
		f.scores = append(f.scores, r.Float64())
	}
	f.sums, f.most, f.inverse = make([]uint32, n), make([]uint32, n), make([]uint64, n)
	for i := range n {
		f.sums[i], f.most[i], f.inverse[i] = r.Uint32(), r.Uint32N(600), r.Uint64()
	}
	if r.IntN(2) == 0 {
		for range n {
			f.multiplicity = append(f.multiplicity, float64(1+r.IntN(4)))
		}
	}
	visits := r.IntN(60)
	for i := range margin + visits + n {
		f.rank, f.mask, f.slot = append(f.rank, uint32(r.IntN(n))), append(f.mask, f.everyLane), append(f.slot, uint32(2+r.IntN(2*4)))
		if i%3 == 0 {
			f.mask[i] &= some()
		}
	}
	for range 5 * lanes {
		f.sent = append(f.sent, r.Float64())
	}
	f.list, f.listMask = make([]uint32, n+1), make([]uint64, n+1)
	f.listSlot, f.listFlow = make([]uint32, n+1), make([]float64, 4*(n+1))
	f.flows = make([]float64, 1+r.IntN(n+len(f.targets)))
	for range f.targets {
		f.slots = append(f.slots, uint32(r.IntN(len(f.flows))))
	}
	for i := range f.flows {
		f.flows[i] = r.Float64()
	}
	rows := make([]float64, n*lanes)
	for i := range rows {
		x := r.ExpFloat64()
		switch r.IntN(200) {
		case 0:
			x = math.NaN()
		case 1:
			x = math.Inf(1)
		case 2:
			x = 0
		}
		rows[i] = x
	}
	for i := range lanes {
		f.source[i], f.got[i], f.perLane[i], f.weighed[i] = float64(r.IntN(9)), r.Float64(), uint16(r.IntN(1<<16)), r.Float64()
	}
	return f, rows
}

// show runs body on copies of the frame and the rows, and prints their state.
func show(f *frame, rows []float64, width int, body func(f *frame, rows []float64) string) []string {
	c := *f
	c.levels, c.sums, c.done, c.scores = slices.Clone(f.levels), slices.Clone(f.sums), slices.Clone(f.done), slices.Clone(f.scores)
	c.rank, c.mask, c.sent, c.buckets = slices.Clone(f.rank), slices.Clone(f.mask), slices.Clone(f.sent), slices.Clone(f.buckets)
	rows, c.parts, c.flows = slices.Clone(rows), slices.Clone(f.parts), slices.Clone(f.flows)
	c.most, c.inverse = slices.Clone(f.most), slices.Clone(f.inverse)
	what := body(&c, rows)
	for i := range rows {
		if f.everyLane>>(i%width)&1 == 0 {
			rows[i] = 0 // no source has the lane: its numbers do not matter
		}
	}
	return []string{ // sent without slot 0, which kernels use as room
		what, fmt.Sprint("levels ", c.levels), fmt.Sprint("sums ", c.sums, c.perLane), fmt.Sprint("done ", c.done), fmt.Sprint("scores ", c.scores),
		fmt.Sprint("visits ", c.visits, c.rank, c.mask), fmt.Sprint("sent ", c.sent[lanes:]), fmt.Sprint("buckets ", c.buckets), fmt.Sprint("rows ", rows),
		fmt.Sprint("got ", c.got), fmt.Sprint("loads ", c.rowLoads), fmt.Sprint("flows ", c.flows), fmt.Sprint("parts ", c.parts),
		fmt.Sprint("most ", c.most), fmt.Sprint("inverse ", c.inverse),
	}
}

func compareKernels(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 18))
	f, rows := randomFrame(r)
	n := len(f.order)
	list := make([]uint32, 0, n+margin)
	for _, v := range r.Perm(n)[:r.IntN(n+1)] {
		list = append(list, uint32(v))
	}
	from := r.IntN(n + 1)
	to := from + r.IntN(n-from+1)
	first := margin + r.IntN(len(f.rank)-margin+1)
	end := first + r.IntN(len(f.rank)-first+1)
	inverses := make([]uint64, len(f.buckets)) // by level
	for i := range inverses {
		inverses[i] = r.Uint64() >> 8
	}
	spread := func(f *frame) { // short levels of all sizes
		for i := range f.levels {
			f.levels[i] = f.levels[i]*257 ^ uint16(i)<<9
		}
	}
	passes := func(k kernels) map[string]func(f *frame, rows []float64) string {
		return map[string]func(f *frame, rows []float64) string{
			"relax": func(f *frame, _ []float64) string {
				changed := make([]uint32, n)
				return fmt.Sprint(changed[:k.relax(f, list, changed)])
			},
			"relaxShort": func(f *frame, _ []float64) string {
				spread(f)
				changed := make([]uint32, n)
				return fmt.Sprint(changed[:k.relaxShort(f, list, changed)])
			},
			"collectShort": func(f *frame, _ []float64) string {
				if spread(f); seed%2 == 0 { // few levels in a row
					for i := range f.levels {
						f.levels[i] = f.levels[i]&0x0f0f + uint16(i/lanes%15*0x1010)
					}
				}
				f.digits = digitsOf(inverses)
				k.collectShort(f, inverses, from, to)
				return ""
			},
			"measure": func(f *frame, _ []float64) string {
				f.weighs = seed%2 == 0
				k.measure(f, from, to)
				return fmt.Sprint(f.weighed)
			},
			"collect": func(f *frame, _ []float64) string {
				k.collect(f, inverses, from, to)
				return ""
			},
			"count": func(f *frame, rows []float64) string {
				late := slices.Clone(list[:cap(list)])
				return fmt.Sprint(late[:k.count(f, rows, list, late)])
			},
			"count in place": func(f *frame, rows []float64) string {
				late := slices.Clone(list[:cap(list)])[:len(list)]
				return fmt.Sprint(late[:k.count(f, rows, late, late)])
			},
			"depend": func(f *frame, rows []float64) string {
				f.slots = nil
				k.depend(f, rows, first, end)
				return ""
			},
			"depend, with flows": func(f *frame, rows []float64) string {
				k.depend(f, rows, first, end)
				return ""
			},
		}
	}
	for name, pass := range passes(portable()) {
		want := show(f, rows, lanes, pass)
		for _, set := range kernelSets() {
			for i, got := range show(f, rows, lanes, passes(set)[name]) {
				if got != want[i] {
					t.Fatalf("seed %d: %s of %s:\n%s\nwant\n%s", seed, name, set.name, got, want[i])
				}
			}
		}
	}
}

// compareDrawnKernels is compareKernels for drawn sources.
func compareDrawnKernels(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 13))
	f, rows := randomFrame(r)
	n := len(f.order)
	rows = rows[:n*DrawnLanes]
	f.levels = f.levels[DrawnLanes*r.IntN(lanes/DrawnLanes):]
	f.everyLane &= 1<<DrawnLanes - 1
	for i := range f.mask {
		f.mask[i] &= f.everyLane
	}
	f.slope, f.level, f.stretch = float64(r.IntN(2)), float64(r.IntN(2)), float64(1+r.IntN(2))
	for range n {
		f.parts = append(f.parts, [4]float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()})
	}
	for i := range DrawnLanes {
		f.draws[i], f.from[i] = float64(r.IntN(4)), float64(r.IntN(20))
	}
	list := make([]uint32, 0, n+margin)
	for _, v := range r.Perm(n)[:r.IntN(n+1)] {
		list = append(list, uint32(v))
	}
	from, first := r.IntN(n+1), margin+r.IntN(len(f.rank)-margin+1)
	to, end := from+r.IntN(n-from+1), first+r.IntN(len(f.rank)-first+1)
	run := func(k kernels) []string {
		return show(f, rows, DrawnLanes, func(f *frame, rows []float64) string {
			k.measure(f, from, to)
			k.depend(f, rows, first, end)
			late := slices.Clone(list[:cap(list)])
			return fmt.Sprint(late[:k.count(f, rows, list, late)])
		})
	}
	want := run(portableDrawn())
	for _, set := range drawnSets() {
		for i, got := range run(set) {
			if got != want[i] {
				t.Fatalf("seed %d: %s, drawn:\n%s\nwant\n%s", seed, set.name, got, want[i])
			}
		}
	}
}

func TestKernelsAreTwins(t *testing.T) {
	if len(kernelSets()) == 1 {
		t.Skip("this build and processor have the portable kernels only")
	}
	for seed := range uint64(600 / testgraphs.OneIn) {
		compareKernels(t, seed)
		compareDrawnKernels(t, seed)
	}
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) {
		compareKernels(t, seed)
		compareDrawnKernels(t, seed)
	})
}
