package lengths

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// randomFrame returns a frame of random state, possible in a search or not.
func randomFrame(r *rand.Rand) *frame {
	n := 1 + r.IntN(40)
	b := testblocks.Of(n, testgraphs.Random(r, n, n, r.IntN(4*n)), 1)
	some := func() uint16 { return uint16(r.Uint32()&r.Uint32() | -(r.Uint32() & 1)) }
	f := &frame{weight: b.To, changed: make([]uint32, n), rowLoads: r.Int64N(100)}
	for range b.Targets {
		b.Lengths = append(b.Lengths, 1+r.Int64N(3))
	}
	f.out = arcs{b.Offsets, b.Targets, b.Lengths}
	f.in = f.out
	if r.IntN(2) == 0 {
		f.in.targets, f.in.lengths = slices.Clone(b.Targets), slices.Clone(b.Lengths)
		r.Shuffle(len(b.Lengths), func(i, j int) {
			f.in.lengths[i], f.in.lengths[j] = f.in.lengths[j], f.in.lengths[i]
		})
	}
	for v := range r.Perm(n) {
		f.order, f.rank = append(f.order, uint32(v)), append(f.rank, uint32(r.IntN(n)))
		f.start, f.counted, f.passed = append(f.start, some()), append(f.counted, some()), append(f.passed, some())
		f.scores = append(f.scores, r.Float64())
	}
	if r.IntN(2) == 0 {
		for range n {
			f.multiplicity = append(f.multiplicity, float64(1+r.IntN(4)))
		}
	}
	for _, l := range []*links{&f.before, &f.after} {
		for range n + 1 {
			l.first = append(l.first, int64(len(l.rank)))
			for range r.IntN(5) {
				l.rank, l.mask = append(l.rank, uint32(r.IntN(n))), append(l.mask, some())
			}
		}
		l.first[n] = max(l.first[n], l.first[n-1])
		room := make([]uint32, len(b.Targets)+1)
		l.rank, l.mask = append(l.rank, room...), append(l.mask, make([]uint16, len(room))...)
	}
	for range n * lanes {
		near := int32(r.IntN(6))
		if r.IntN(8) == 0 {
			near = farNarrow - int32(r.IntN(3))
		}
		far := int64(near)
		if near > 6 {
			far += farWide - farNarrow
		}
		f.narrow, f.wide = append(f.narrow, near), append(f.wide, far)
		for range shortLanes / lanes {
			f.short = append(f.short, int16(min(near, farShort-near%2)))
		}
		x := r.ExpFloat64()
		switch r.IntN(20) {
		case 0:
			x = math.NaN()
		case 1:
			x = math.Inf(1)
		case 2:
			x = 0
		}
		f.rows = append(f.rows, x)
	}
	f.counts = slices.Clone(f.rows)
	r.Shuffle(len(f.counts), func(i, j int) { f.counts[i], f.counts[j] = f.counts[j], f.counts[i] })
	f.sown = f.counts
	if r.IntN(2) == 0 {
		f.sownRows = math.MaxUint64
	}
	if r.IntN(3) == 0 {
		for i, near := range f.narrow {
			f.narrow[i] = min(near, 6) // each has a share
		}
		for range 7 {
			f.shares = append(f.shares, r.Float64())
		}
	}
	for i := range lanes {
		f.source[i], f.reached[i], f.most[i], f.got[i] = float64(r.IntN(9)), r.Float64(), r.Float64(), r.Float64()
		f.flowing = append(f.flowing, r.Float64())
	}
	return f
}

// show runs body on a copy of the frame and prints its state.
func (f *frame) show(body func(f *frame) string) []string {
	c := *f
	c.short, c.narrow, c.wide, c.changed = slices.Clone(f.short), slices.Clone(f.narrow), slices.Clone(f.wide), slices.Clone(f.changed)
	c.counted, c.passed = slices.Clone(f.counted), slices.Clone(f.passed)
	c.rows, c.scores, c.flowing = slices.Clone(f.rows), slices.Clone(f.scores), slices.Clone(f.flowing)
	for _, l := range []*links{&c.before, &c.after} {
		l.rank, l.mask = slices.Clone(l.rank), slices.Clone(l.mask)
	}
	what := body(&c)
	all := []string{what}
	for name, left := range map[string]any{"short": c.short, "narrow": c.narrow, "wide": c.wide, "before": c.before, "after": c.after,
		"counted": c.counted, "passed": c.passed, "rows": c.rows, "scores": c.scores, "flowing": c.flowing,
		"reached": c.reached, "most": c.most, "got": c.got, "loads": c.rowLoads} {
		all = append(all, fmt.Sprint(name, " ", left))
	}
	slices.Sort(all)
	return all
}

// passes returns the kernels, each for the vertex or rank x.
func (k kernels) passes(x int) map[string]func(f *frame) string {
	relax := func(relax func(*frame, uint32) int) func(*frame) string {
		return func(f *frame) string { return fmt.Sprintln(f.changed[:relax(f, uint32(x))]) }
	}
	link := func(link func(*frame, uint32, int, int) (int, int)) func(*frame) string {
		return func(f *frame) string {
			before, after := link(f, uint32(x), 1, 2)
			f.before.rank, f.before.mask = f.before.rank[:before], f.before.mask[:before] // the rest is free room
			f.after.rank, f.after.mask = f.after.rank[:after], f.after.mask[:after]
			return fmt.Sprintln(before, after)
		}
	}
	mask := func(kernel func(*frame, int) uint16) func(*frame) string {
		return func(f *frame) string { return fmt.Sprintln(kernel(f, x)) }
	}
	return map[string]func(*frame) string{
		"relax short": relax(k.relaxShort), "relax narrow": relax(k.relaxNarrow), "relax wide": relax(k.relaxWide),
		"link narrow": link(k.linkNarrow), "link wide": link(k.linkWide),
		"count": mask(k.count), "depend": mask(k.depend),
		"send":  func(f *frame) string { k.send(f, x); return "" },
		"enter": func(f *frame) string { return k.cross(f, x) },
	}
}

// cross enters a chain that joins two vertices, or leads to none that is reached, and prints what came of it.
func (k kernels) cross(f *frame, x int) string {
	r := rand.New(rand.NewPCG(uint64(x), uint64(f.rowLoads)))
	n, y := len(f.order), r.IntN(len(f.order))
	c := crossing{from: (*[lanes]int32)(f.narrow[x*lanes:]), to: (*[lanes]int32)(f.narrow[y*lanes:]), limit: int32(4 + r.IntN(9))}
	if r.IntN(4) == 0 {
		c.to = &unreachedRow
	}
	sent := make([]float64, n*lanes)
	for side, v := range []int{x, y} {
		c.sent[side] = (*[lanes]float64)(sent[v*lanes:])
	}
	for range r.IntN(6) {
		c.length += int32(1 + r.IntN(3))
		c.position, c.target = append(c.position, c.length), append(c.target, r.Float64())
		c.by[0], c.by[1] = append(c.by[0], r.Float64()), append(c.by[1], r.Float64())
	}
	c.length += int32(1 + r.IntN(3))
	if r.IntN(5) == 0 {
		c.length = Longest
	}
	k.enter(f, &c)
	return fmt.Sprintln(c.by, c.through, c.tied != 0, sent)
}

func compareKernels(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 15))
	f := randomFrame(r)
	x := r.IntN(len(f.order))
	for name, pass := range portable().passes(x) {
		want := f.show(pass)
		for _, set := range kernelSets() {
			for i, got := range f.show(set.passes(x)[name]) {
				if got != want[i] {
					t.Fatalf("seed %d: %s of %s, vertex %d:\n%s\nwant\n%s", seed, name, set.name, x, got, want[i])
				}
			}
		}
	}
}

func TestKernelsAreTwins(t *testing.T) {
	if len(kernelSets()) == 1 {
		t.Skip("this build and processor have the portable kernels only")
	}
	for seed := range uint64(4000 / testgraphs.OneIn) {
		compareKernels(t, seed)
	}
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { compareKernels(t, seed) })
}
