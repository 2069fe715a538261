package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/pages"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// randomFrame returns a frame of random state, possible in a search or not: rows
// hold arbitrary numbers in lanes that are in no mask.
func randomFrame[T float32 | float64](r *rand.Rand, lanes int) (*frame, []T) {
	n := 1 + r.IntN(40)
	b := testblocks.Random(r, n, r.IntN(4*n), lanes)
	if r.IntN(3) == 0 { // with a hub, whose rows make several pieces
		n += 3 * PieceRows
		b = wheel(r.IntN(n), n-r.IntN(n/2), n)
	}
	in := b
	if r.IntN(2) == 0 { // in-arcs and out-arcs differ
		in = testblocks.Random(r, n, r.IntN(4*n), lanes)
	}
	some := func() uint64 {
		m := ^uint64(0) >> (MaxLanes - 1 - r.IntN(lanes))
		switch r.IntN(5) {
		case 0:
			return 0
		case 1:
			return m
		case 2:
			return m & 1 << r.IntN(lanes)
		case 3:
			return m & r.Uint64() & r.Uint64()
		default:
			return m & r.Uint64()
		}
	}
	room := backRows + n + lineBeyond
	f := &frame{offsets: b.Offsets, targets: b.Targets, inOffsets: in.Offsets, inTargets: in.Targets, weight: b.To,
		list: make([]uint32, room), listMask: make([]uint64, room), listSlot: make([]uint32, room), rowLoads: r.Int64N(100)}
	for range b.Targets {
		f.slots, f.flows = append(f.slots, r.Uint32N(uint32(len(b.Targets)))), append(f.flows, r.Float64())
	}
	if r.IntN(2) == 0 {
		for range n {
			f.multiplicity = append(f.multiplicity, float64(1+r.IntN(4)))
		}
	}
	for v := range n {
		f.seen, f.here, f.next = append(f.seen, some()), append(f.here, some()), append(f.next, some())
		f.scores, f.drawn, f.squares = append(f.scores, r.Float64()), append(f.drawn, r.Float64()), append(f.squares, r.Float64())
		if r.IntN(4) > 0 {
			f.vertex, f.mask = append(f.vertex, uint32(v)), append(f.mask, some())
		}
	}
	for i := range lanes {
		f.source[i], f.reached[i], f.got[i] = float64(1+r.IntN(9)), r.Float64(), r.Float64()
		distance := float64(1 + r.IntN(9))
		f.hop[i%4] = .75
		f.draws[i], f.share[i], f.stretch[i] = float64(1+r.IntN(3)), 1/distance, 2*distance
	}
	f.rowBytes = RowBytes[T](lanes)
	_, rows := pages.Aligned[T](nil, n*lanes)
	odd := []int{20, n * lanes}[r.IntN(2)] // one number in so many is NaN, one inf, one 0
	for i := range rows {
		switch r.IntN(odd) {
		case 0:
			rows[i] = T(math.NaN())
		case 1:
			rows[i] = T(math.Inf(1))
		case 2:
			rows[i] = 0
		default:
			rows[i] = T(r.ExpFloat64())
		}
	}
	return f, rows
}

// wheel returns a wheel: a cycle of n vertices, with so many joined to the hub.
func wheel(hub, spokes, n int) *preprocess.Block {
	edges := testgraphs.Ring(0, uint32(n))
	for v := range uint32(spokes) {
		edges = append(edges, testgraphs.Edge{uint32(hub), v})
	}
	return testblocks.Of(n, edges, 1)
}

// run copies a frame, runs a pass over part of the copy, and prints its state.
func (k kernels[T]) run(f *frame, rows []T, p pass, from, to int) string {
	c := *f
	for _, s := range []*[]uint64{&c.seen, &c.here, &c.next, &c.mask} {
		*s = slices.Clone(*s)
	}
	c.vertex, c.scores, rows = slices.Clone(c.vertex), slices.Clone(c.scores), cloneRows(rows)
	c.drawn, c.squares, c.flows = slices.Clone(c.drawn), slices.Clone(c.squares), slices.Clone(c.flows)
	end := from
	c.parts = make([][2]uint32, len(c.vertex))
	switch p {
	case forth:
		end = k.forward(&c, rows, from, to, from/2)
	case back:
		c.drawn, c.share = nil, constant(1)
		k.backward(&c, rows, from, to)
	case backDrawn:
		k.backwardDrawn(&c, rows, from, to)
	case backShares:
		c.drawn, c.squares, c.stretch = nil, nil, constant(1)
		k.backwardDrawn(&c, rows, from, to)
	case backFlows:
		if k.backwardFlows == nil {
			return "" // rows of float32
		}
		c.listFlow = make([]float64, 4*len(c.list))
		c.hop = [4]float64{1, 1, 1, 1} // the twin has none
		k.backwardFlows(&c, rows, from, to)
	}
	return fmt.Sprintln("end", end, "rows", rows, "seen", c.seen, "here", c.here, "next", c.next,
		"vertex", c.vertex, "mask", c.mask, "loads", c.rowLoads, "scores", c.scores, "drawn", c.drawn, "squares", c.squares, "flows", c.flows, "reached", c.reached, "got", c.got)
}

// pass is one of the kernels of a set.
type pass string

const (
	forth      pass = "forward"
	back       pass = "backward"
	backDrawn  pass = "backwardDrawn"
	backShares pass = "backwardDrawn, with Decay"
	backFlows  pass = "backwardFlows"
)

var passes = []pass{forth, back, backDrawn, backShares, backFlows}

// constant returns the same number for all lanes.
func constant(x float64) (all [MaxLanes]float64) {
	for lane := range all {
		all[lane] = x
	}
	return all
}

func cloneRows[T float32 | float64](rows []T) []T {
	_, clone := pages.Aligned[T](nil, len(rows))
	copy(clone, rows)
	return clone
}

func compareKernels(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 5))
	sets := Sets()
	compareSets(t, r, sets, func(s Set) rowKernels[float64] { return s.float64 })
	compareSets(t, r, sets, func(s Set) rowKernels[float32] { return s.float32 })
}

func compareSets[T float32 | float64](t *testing.T, r *rand.Rand, sets []Set, of func(Set) rowKernels[T]) {
	t.Helper()
	for lanes := rowLanes[T](1); lanes <= MaxLanes; lanes *= 2 {
		f, rows := randomFrame[T](r, lanes)
		from := r.IntN(len(f.vertex) + 1)
		to := from + r.IntN(len(f.vertex)-from+1)
		for _, p := range passes {
			want := goKernels[T]().run(f, rows, p, from, to)
			for _, set := range sets {
				of := of(set)
				for _, k := range []kernels[T]{of.any, of.of(lanes)} {
					if got := k.run(f, rows, p, from, to); got != want {
						t.Fatalf("%s, %d lanes of %v, %s:\n%s\nwant\n%s", set.Name, lanes, reflect.TypeFor[T](), p, got, want)
					}
				}
			}
		}
	}
}

func TestKernelsAreTwins(t *testing.T) {
	if len(Sets()) == 1 {
		t.Skip("this build and processor have the Portable kernels only")
	}
	for seed := range uint64(150 / testgraphs.OneIn) {
		compareKernels(t, seed)
	}
}

// Kernels cut rows of float32 into the same pieces. The last piece may be
// full, or a single row.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, spokes := range []int{1, PieceRows - 1, PieceRows, PieceRows + 1, 2 * PieceRows, 2*PieceRows + 1, 5 * PieceRows} {
		n := spokes + 3
		b := wheel(n-1, spokes, n)
		full := slices.Repeat([]uint64{^uint64(0)}, n)
		for lanes := rowLanes[float32](1); lanes <= MaxLanes; lanes *= 2 {
			f := &frame{offsets: b.Offsets, targets: b.Targets, inOffsets: b.Offsets, inTargets: b.Targets, weight: b.To, scores: make([]float64, n),
				drawn: make([]float64, n), squares: make([]float64, n),
				list: make([]uint32, n+1), listMask: make([]uint64, n+1), listSlot: make([]uint32, n),
				slots: make([]uint32, len(b.Targets)), flows: make([]float64, 1),
				seen: make([]uint64, n), here: full, next: full, vertex: []uint32{uint32(n - 1)}, mask: []uint64{^uint64(0) >> (MaxLanes - lanes)}}
			f.rowBytes = RowBytes[float32](lanes)
			_, rows := pages.Aligned[float32](nil, n*lanes)
			for i := range rows {
				rows[i] = float32(r.ExpFloat64())
			}
			for _, p := range passes {
				want := goKernels[float32]().run(f, rows, p, 0, 1)
				for _, set := range Sets() {
					if got := set.float32.of(lanes).run(f, rows, p, 0, 1); got != want {
						t.Errorf("%s: %d rows of %d lanes, %s, differ from go's", set.Name, spokes, lanes, p)
					}
				}
			}
		}
	}
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { compareKernels(t, seed) })
}

// Every set lists the same flows, adds them up to the same bits, and reports negative ones.
func TestSumFlows(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for n := 0; n <= 400; n += 4 {
		flows := make([]float64, n)
		for i := range flows {
			if r.IntN(3) > 0 {
				flows[i] = r.ExpFloat64()
			}
		}
		if odd := []float64{0, -1, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64}; n > 0 {
			flows[r.IntN(n)] = odd[r.IntN(len(odd))]
		}
		of := func(set Set) string {
			at, parts := make([]uint32, n), [4]float64{}
			count, negative := set.SumFlows(flows, at, &parts)
			return fmt.Sprint(at[:count], parts, negative)
		}
		want := of(Portable())
		for _, set := range Sets() {
			if got := of(set); got != want {
				t.Fatalf("%s: of %v\n%s, want\n%s", set.Name, flows, got, want)
			}
		}
	}
}
