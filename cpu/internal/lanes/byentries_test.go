package lanes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// entrySets returns this processor's kernels of searches by entries, the Portable ones last.
func entrySets() (sets []entryKernels) {
	for _, set := range Sets() {
		sets = append(sets, *set.entries)
	}
	return sets
}

// entriesOrRows searches as a worker does: by entries, and by rows from the first batch of a block that does not fit.
type entriesOrRows struct {
	kernels entryKernels
	each    int
	entries *byEntries
	rows    *search[float64]
	asked   *preprocess.Block
	byRows  bool
}

func newEntriesOrRows(kernels entryKernels, each int) *entriesOrRows {
	return &entriesOrRows{kernels: kernels, each: each, entries: newEntries(kernels, sumFlows, each), rows: rowSearch()}
}

func (s *entriesOrRows) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	if s.asked != b {
		s.asked, s.byRows = b, false
	}
	if !s.byRows {
		result, err := s.entries.Run(ctx, b, batch)
		if !errors.Is(err, ErrManyPaths) {
			return result, err
		}
		s.entries, s.byRows = newEntries(s.kernels, sumFlows, s.each), true
	}
	return s.rows.Run(ctx, b, batch)
}

func rowSearch() *search[float64] {
	return &search[float64]{set: Portable().float64, sumFlows: sumFlows}
}

// Searches by entries and by rows give the same bits. Cases are multiplicities, cutoffs, directed
// blocks, waivers, drawn sources, flows, and sources whose vertex is reached in the level in which they start.
func TestByEntries(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 8))
	byEntry, withMany := 0, 0
	for round := range 1000 / testgraphs.OneIn {
		n := 40 + r.IntN(120)
		b := testblocks.Random(r, n, r.IntN(3*n), MaxLanes)
		if round%4 == 0 {
			b = testblocks.RandomDirected(r, n, r.IntN(6*n), MaxLanes)
		}
		b.Farness = make([]uint16, n)
		for v := range b.Farness {
			b.Farness[v] = uint16(r.IntN(6))
		}
		if r.IntN(3) == 0 {
			b.Cutoff = 2 + r.IntN(4)
		}
		if round%3 == 0 {
			testblocks.Flows(b)
		}
		if r.IntN(3) == 0 {
			testblocks.Multiply(r, b)
			for v := range b.Multiplicity {
				b.Multiplicity[v] *= float64(int(1) << (round % 6)) // the largest make path counts exceed 16 bits
			}
		}
		for v := range b.To {
			b.To[v] = float64(r.IntN(100)) + float64(round%5/4*r.IntN(4))/4
		}
		if b.In != nil && b.Flows == nil && r.IntN(2) == 0 {
			testblocks.Waivers(r, b)
		}
		if b.Flows == nil && r.IntN(3) == 0 {
			b.Draws, b.Linear = make([]float64, n), r.IntN(3) > 0
			for v := range b.Draws {
				b.Draws[v] = float64(r.IntN(4))
			}
		}
		plain := rowSearch()
		for i, kernels := range entrySets() {
			w := newEntriesOrRows(kernels, MaxLanes)
			for _, batch := range testblocks.Plan(b).Batches {
				want, err := plain.Run(t.Context(), b, batch)
				if err != nil {
					t.Fatal(err)
				}
				got, err := w.Run(t.Context(), b, batch)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("round %d set %d batch %+v: %+v, %v; want %+v", round, i, batch, got, err, want)
				}
				if !w.byRows {
					byEntry++
					withMany += nonzero(uint64(len(w.entries.withMany)))
				}
			}
		}
	}
	t.Logf("%d batches were searched by entries, %d of them with many paths", byEntry, withMany)
	if byEntry < 1000*len(entrySets())/testgraphs.OneIn || withMany < 30/testgraphs.OneIn {
		t.Errorf("%d batches were searched by entries, %d of them with many paths", byEntry, withMany)
	}
}

// Path counts by entry need sums of target masses that are whole numbers of 32 bits, and first
// counts that fit in 16 bits.
func TestIsByEntries(t *testing.T) {
	block := func(change func(*preprocess.Block)) bool {
		b := testblocks.Random(rand.New(rand.NewPCG(18, 12)), 600, 1200, MaxLanes)
		b.Entries = 4 * b.Vertices()
		clear(b.To)
		change(b)
		return CountsByEntry(b)
	}
	for name, c := range map[string]struct {
		want   bool
		change func(*preprocess.Block)
	}{
		"as it is":                 {true, func(b *preprocess.Block) {}},
		"the largest sum below":    {true, func(b *preprocess.Block) { b.To[0], b.To[599] = largestMass-2, 1 }},
		"a sum that is too large":  {false, func(b *preprocess.Block) { b.To[0], b.To[599] = largestMass-2, 2 }},
		"half a vertex":            {true, func(b *preprocess.Block) { b.To[7] = 0.5 }},
		"the most that begins":     {true, func(b *preprocess.Block) { b.Multiplicity = repeated(600, manyPaths-1) }},
		"more than that":           {false, func(b *preprocess.Block) { b.Multiplicity = repeated(600, manyPaths) }},
		"fewer lanes":              {false, func(b *preprocess.Block) { b.Lanes = MaxLanes / 2 }},
		"nobody knows the entries": {false, func(b *preprocess.Block) { b.Entries = 0 }},
		"too many entries":         {false, func(b *preprocess.Block) { b.Entries = entriesEach*b.Vertices() + 1 }},
	} {
		if got := block(c.change); got != c.want {
			t.Errorf("%s: by entries %v", name, got)
		}
	}
}

func repeated(n int, last float64) []float64 {
	multiplicity := slices.Repeat([]float64{1}, n)
	multiplicity[n-1] = last
	return multiplicity
}

// Batches do not fit if too many path counts exceed 16 bits, or if there are too many entries. They fit
// if few counts do, or if counts are just below the limit.
func TestByEntriesFits(t *testing.T) {
	large, few, fits := testblocks.Flows(testblocks.Diamonds(24, MaxLanes)), testblocks.Flows(testblocks.Diamonds(16, MaxLanes)), testblocks.Flows(testblocks.Diamonds(15, MaxLanes))
	plain := rowSearch()
	for i, kernels := range entrySets() {
		for _, each := range []int{MaxLanes, 2} {
			w := newEntriesOrRows(kernels, each)
			for _, b := range []*preprocess.Block{large, few, fits, large} {
				for range 2 {
					batch := engine.Batch{Count: MaxLanes}
					want, err := plain.Run(t.Context(), b, batch)
					if err != nil {
						t.Fatal(err)
					}
					got, err := w.Run(t.Context(), b, batch)
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Fatalf("set %d: %+v, %v; want %+v", i, got, err, want)
					}
					if otherwise, want := w.byRows, b == large || each == 2; otherwise != want {
						t.Errorf("set %d, %d entries each, %d vertices: searched otherwise: %v", i, each, b.Vertices(), otherwise)
					}
					if has := !w.byRows && len(w.entries.withMany) > 0; has != (b == few && each > 2) {
						t.Errorf("set %d, %d entries each, %d vertices: many paths: %v", i, each, b.Vertices(), has)
					}
				}
			}
		}
	}
}

// A search by entries ends when its context does, at any point of a batch. The next batch is then right.
func TestByEntriesStop(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 10))
	sets := entrySets()
	for round := range 12 {
		n := 80 + r.IntN(60)
		b := testblocks.Random(r, n, 2*n, MaxLanes)
		if round%2 == 0 {
			testblocks.Flows(b)
		}
		s := newEntriesOrRows(sets[round%len(sets)], MaxLanes)
		for i, batch := range []engine.Batch{{Count: MaxLanes}, {First: 2, Count: 40}, {First: 1, Count: 50}} {
			fresh := newEntriesOrRows(sets[round%len(sets)], MaxLanes)
			ctx := testending.After(t.Context(), math.MaxInt)
			want, err := fresh.Run(ctx, b, batch)
			if err != nil {
				t.Fatal(err)
			}
			for _, stop := range []int{1, 1 + r.IntN(ctx.Looks()), ctx.Looks()} {
				if _, err := s.Run(testending.After(t.Context(), stop-1), b, batch); err == nil {
					t.Fatalf("round %d batch %d goes on after look %d of %d", round, i, stop, ctx.Looks())
				}
				if got, err := s.Run(t.Context(), b, batch); err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("round %d batch %d after look %d: %+v, %v; want %+v", round, i, stop, got, err, want)
				}
			}
		}
	}
}

// A search does not change later ones, also if vertices may have few entries, and if lines take turns.
func TestNothingIsRetained(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 12))
	draw := func() *preprocess.Block {
		n := 2 + r.IntN(150)
		b := testblocks.Random(r, n, r.IntN(3*n), MaxLanes)
		if r.IntN(2) == 0 {
			b = testblocks.RandomDirected(r, n, r.IntN(6*n), MaxLanes)
		}
		b.Entries, b.Farness = entriesEach*n, make([]uint16, n)
		for v := range n {
			b.To[v], b.Farness[v] = float64(r.IntN(50)), uint16(r.IntN(6))
		}
		if r.IntN(3) == 0 {
			testblocks.Multiply(r, b)
		}
		if r.IntN(3) == 0 {
			b.Cutoff = 2 + r.IntN(4)
		}
		return b
	}
	rounds, set := max(30/testgraphs.OneIn, 3), Sets()[0]
	testblocks.NothingRetained(t, r, rounds, func() *entriesOrRows { return newEntriesOrRows(*set.entries, 2) }, draw)
	testblocks.NothingRetained(t, r, rounds, func() *byLines { return newLines(set, 300, 3) }, draw)
}

// Rows of unexpected entries need new room only a few times, and keep their numbers.
func TestCountsGrow(t *testing.T) {
	s, made := &byEntries{}, 0
	s.block = testblocks.Random(rand.New(rand.NewPCG(18, 11)), 40, 80, MaxLanes)
	s.block.Entries = 1
	for entry := range 10_000 {
		had := len(s.counts)
		if s.growCounts(entry + 1); len(s.counts) != had {
			made++
		}
		s.counts[entry*MaxLanes+entry%MaxLanes] = uint16(entry)
	}
	for entry := range 10_000 {
		if got := s.counts[entry*MaxLanes+entry%MaxLanes]; got != uint16(entry) {
			t.Fatalf("entry %d has %d", entry, got)
		}
	}
	if made > 30 {
		t.Errorf("room was made %d times", made)
	}
}

// compareEntryKernels runs all kernels on a frame of random state.
func compareEntryKernels(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 6))
	f, rows := randomFrame[float64](r, MaxLanes)
	n, entries := len(f.seen), len(f.vertex)
	if entries == 0 {
		return
	}
	for v := range n {
		if r.IntN(4) == 0 {
			f.weight[v] = float64(r.Uint32() >> 8)
		}
		f.entryHere, f.entryNext = append(f.entryHere, uint32(entries+v)), append(f.entryNext, r.Uint32())
	}
	for i := range (entries + n) * MaxLanes {
		x := uint16(r.IntN(1 << r.IntN(17)))
		if v := i/MaxLanes - entries; v >= 0 && f.here[v]>>(i%MaxLanes)&1 == 0 {
			x = 0
		}
		f.counts = append(f.counts, x)
	}
	for lane := range f.mass {
		f.mass[lane], f.most[lane%16] = uint32(r.IntN(1000)), uint16(r.IntN(1000))
	}
	from := r.IntN(entries + 1)
	to := from + r.IntN(entries-from+1)
	enough := r.IntN(len(f.inTargets) + 2)
	f.parts = make([][2]uint32, entries)
	run := func(k entryKernels, p pass) string {
		c := *f
		room := max(enough, backRows) + n + lineBeyond
		c.parts, c.list, c.listMask, c.listSlot = slices.Clone(f.parts), make([]uint32, room), make([]uint64, room), make([]uint32, room)
		for _, s := range []*[]uint64{&c.seen, &c.here, &c.next, &c.mask} {
			*s = slices.Clone(*s)
		}
		c.vertex, c.scores, c.counts, c.entryNext = slices.Clone(c.vertex), slices.Clone(c.scores), slices.Clone(c.counts), slices.Clone(c.entryNext)
		c.drawn, c.squares, c.flows = slices.Clone(c.drawn), slices.Clone(c.squares), slices.Clone(c.flows)
		rows, at, end, listed := cloneRows(rows), 0, 0, 0
		switch p {
		case forth:
			at, end, listed = k.list(&c, from, to, from/2, 0, enough)
			clear(c.list[listed:][:lineBeyond])
			k.count(&c, from/2, end)
		case back:
			c.drawn, c.share = nil, constant(1)
			k.back.backward(&c, rows, from, to)
			clear(c.parts) // some use them
		case backDrawn:
			k.back.backwardDrawn(&c, rows, from, to)
			clear(c.parts) // some use them
		case backShares:
			c.drawn, c.squares, c.stretch = nil, nil, constant(1)
			k.back.backwardDrawn(&c, rows, from, to)
			clear(c.parts) // some use them
		case backFlows:
			c.listFlow = make([]float64, 4*n)
			for i, v := range c.vertex {
				c.next[v] &^= c.mask[i] // of loops: no lane has a vertex in two levels
			}
			c.hop = [4]float64{1, 1, 1, 1} // the twin has none
			k.back.backwardFlows(&c, rows, from, to)
			clear(c.parts) // some use them
		}
		return fmt.Sprintln("at", at, "end", end, "listed", c.list[:listed], c.parts, "rows", rows, "counts", c.counts, "seen", c.seen, "here", c.here, "next", c.next, "entries", c.entryHere, c.entryNext,
			"vertex", c.vertex, "mask", c.mask, "loads", c.rowLoads, "scores", c.scores, "drawn", c.drawn, "squares", c.squares, "flows", c.flows, "got", c.got, "mass", c.mass, "most", c.most)
	}
	for i, k := range entrySets() {
		for _, p := range passes {
			if got, want := run(k, p), run(*Portable().entries, p); got != want {
				t.Fatalf("set %d, %s:\n%s\nwant\n%s", i, p, got, want)
			}
		}
	}
}

func TestEntryKernelsAreTwins(t *testing.T) {
	if len(entrySets()) == 1 {
		t.Skip("this build and processor have the Portable kernels only")
	}
	for seed := range uint64(300 / testgraphs.OneIn) {
		compareEntryKernels(t, seed)
	}
}

func FuzzEntryKernels(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { compareEntryKernels(t, seed) })
}
