package cpu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bcstage/cpu/internal/pages"
	"bcstage/preprocess"
	"bcstage/preprocess/testblocks"
	"bcstage/preprocess/testgraphs"
)

// Line by line a batch has the numbers that it has otherwise, however much is listed at a
// time, and the same bits by all kernels, and whether path counts are kept by entry or not; scores of an undirected block have the same bits.
func TestByLines(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 8))
	withDeadEnds, byEntry, withMany := 0, 0, 0
	for round := range 2000 / testgraphs.OneIn {
		n := 2 + r.IntN(120)
		directed, lanes := round%4 > 0, maxLanes
		if r.IntN(2) == 0 {
			lanes = 1 + r.IntN(maxLanes)
		}
		b := randomBlock(r, n, r.IntN(3*n), lanes)
		if directed {
			b = randomDirected(r, n, r.IntN(6*n), lanes)
		}
		if r.IntN(4) > 0 {
			for v := range b.To {
				b.To[v] = float64(r.IntN(100))
			}
			b.Entries = entriesEach * n
		}
		b.Farness = make([]uint16, n)
		for v := range b.Farness {
			b.Farness[v] = uint16(r.IntN(6))
		}
		if directed && r.IntN(2) == 0 {
			testblocks.Waivers(r, b)
		}
		if r.IntN(3) == 0 {
			b.Cutoff = 2 + r.IntN(4)
		}
		if r.IntN(3) == 0 {
			most := 4 << r.IntN(7) // with some, there are path counts that 16 bits do not hold
			for range n {
				b.Multiplicity = append(b.Multiplicity, float64(1+r.IntN(most)))
			}
		}
		if r.IntN(3) == 0 {
			b.Draws, b.Linear = make([]float64, n), r.IntN(2) == 0
			for v := range b.Draws {
				b.Draws[v] = float64(r.IntN(4))
			}
		}
		whole := &search[float64]{sets: portable().float64}
		for _, room := range []int{listRoom, 1 + r.IntN(3000), 1} {
			sets := []*byLines{newByLines(withoutEntries(portable()), room, 0)}
			for _, set := range kernelSets() {
				sets = append(sets, newByLines(set, room, maxLanes), newByLines(set, room, 2))
			}
			for _, batch := range testblocks.Plan(b).Batches {
				name := fmt.Sprintf("round %d room %d batch %+v", round, room, batch)
				want, err := whole.Run(t.Context(), b, batch)
				if err != nil {
					t.Fatal(err)
				}
				got, err := sets[0].Run(t.Context(), b, batch)
				if err != nil {
					t.Fatal(err)
				}
				wantClose(t, name+" scores", got.Scores, want.Scores, 1e-12)
				wantClose(t, name+" drawn", got.Drawn, want.Drawn, 1e-12)
				wantClose(t, name+" squares", got.Squares, want.Squares, 1e-12)
				if !directed && b.Draws == nil && !slices.Equal(got.Scores, want.Scores) {
					t.Fatalf("%s: scores have other bits", name)
				}
				wantClose(t, name+" got", got.Got, want.Got, 1e-12)
				wantClose(t, name+" want", got.Want, want.Want, 1e-12)
				if len(sets[0].frame.deadEnds) > 0 {
					withDeadEnds++
				} else if got.Work != want.Work {
					t.Fatalf("%s: %+v, want %+v", name, got.Work, want.Work)
				}
				for i, s := range sets[1:] {
					again, err := s.Run(t.Context(), b, batch)
					if err != nil || !reflect.DeepEqual(again, got) {
						t.Fatalf("%s: %s gives %+v, %v; want %+v", name, kernelSets()[i/2].name, again, err, got)
					}
					if s.byEntry {
						byEntry++
						withMany += nonzero(uint64(len(s.withMany)))
					}
				}
			}
		}
	}
	t.Logf("%d batches were searched without dead ends, %d went out by entries, %d with many paths", withDeadEnds, byEntry, withMany)
	if withDeadEnds < 100/testgraphs.OneIn || byEntry < 1000/testgraphs.OneIn || withMany < 40/testgraphs.OneIn {
		t.Errorf("%d batches were searched without dead ends, %d went out by entries, %d with many paths", withDeadEnds, byEntry, withMany)
	}
}

// withoutEntries is a set that has no way out by entries.
func withoutEntries(set kernelSet) kernelSet {
	set.linesOut = nil
	return set
}

// Where levels are more than 16 bits count, dead ends are searched with the rest.
func TestManyLevelsByLines(t *testing.T) {
	const deep = 1<<16 + 100
	var arcs []testgraphs.Edge
	for v := range uint32(deep) {
		arcs = append(arcs, testgraphs.Edge{v, v + 1}, testgraphs.Edge{v, deep + 1 + v/2})
	}
	b := testblocks.Directed(deep+1+deep/2, arcs, 8)
	b.Sources = []uint32{0, 2, deep - 50, deep - 10}
	whole := &search[float64]{sets: portable().float64}
	for _, set := range kernelSets() {
		s := newByLines(set, listRoom, maxLanes)
		for _, batch := range []preprocess.Batch{{Count: 4}, {First: 2, Count: 2}, {Count: 1}, {First: 2, Count: 2}} {
			got, err := s.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			wantClose(t, "scores", got.Scores, want.Scores, 1e-12)
			wantClose(t, "got", got.Got, want.Got, 1e-12)
			wantClose(t, "want", got.Want, want.Want, 1e-12)
		}
	}
}

// Wherever in a batch the context ends, a search line by line ends, and is as good as new:
// nothing is left of kept sums, nor of what dead ends had for their predecessors. Batches
// after it have more lines, and fewer.
func TestByLinesStop(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 2))
	withDeadEnds := 0
	for round := range 24 {
		n := 60 + r.IntN(60)
		b := randomBlock(r, n, 2*n, maxLanes)
		if round%4 > 0 {
			b = randomDirected(r, n, 2*n, maxLanes)
		}
		batches := []preprocess.Batch{{Count: 1 + r.IntN(60)}, {First: 2, Count: 1 + r.IntN(20)}, {First: 1, Count: 40}}
		sets := kernelSets()
		if round%2 == 0 {
			b.Entries = entriesEach * n
			clear(b.To)
			b.To[n-1] = 3
		}
		set, room := sets[round%len(sets)], 1+r.IntN(500)
		s := newByLines(set, room, maxLanes)
		for i, batch := range batches {
			fresh := newByLines(set, room, maxLanes)
			ctx := &countdown{t.Context(), 0, math.MaxInt}
			want, err := fresh.Run(ctx, b, batch)
			if err != nil {
				t.Fatal(err)
			}
			for range 12 {
				until := r.IntN(ctx.looks)
				if _, err := s.Run(&countdown{t.Context(), 0, until}, b, batches[r.IntN(i+1)]); err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				got, err := s.Run(t.Context(), b, batch)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("round %d, batch %d, after the end of a context at look %d: %+v, %v; want %+v", round, i, until, got, err, want)
				}
			}
			if s.aside.of != nil {
				withDeadEnds++
			}
		}
	}
	if withDeadEnds < 10 {
		t.Errorf("%d batches were searched without dead ends", withDeadEnds)
	}
}

// A worker takes what is wide to byLines, and cores of all kinds give the same bits.
func TestWorkerGoesByLines(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 9))
	b := testblocks.Directed(17_000, testgraphs.Random(r, 17_000, 17_000, 30_000), 64)
	b.Sources = b.Sources[:100]
	plan := testblocks.Plan(b)
	want := results(t, plan, Options{Kernels: "go"}, plan.Batches)
	for _, set := range kernelSets() {
		if got := results(t, plan, Options{Kernels: set.name}, plan.Batches); !reflect.DeepEqual(got, want) {
			t.Errorf("%s gives other bits than go", set.name)
		}
	}
	line, whole := newByLines(portable(), listRoom, maxLanes), &search[float64]{sets: portable().float64}
	for i, batch := range plan.Batches {
		got, err := line.Run(t.Context(), b, batch)
		if err != nil || !slices.Equal(got.Scores, want[i].Scores) {
			t.Errorf("batch %d: the worker's scores are not those of byLines (%v)", i, err)
		}
		other, err := whole.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		wantClose(t, "scores", got.Scores, other.Scores, 1e-12)
	}
}

// An undirected block has the same scores to the bit line by line, which workers go by where
// it is wide.
func TestUndirectedWorkerGoesByLines(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 10))
	b := testblocks.Of(33_000, testgraphs.Random(r, 33_000, 33_000, 30_000), 64)
	b.Sources = b.Sources[:100]
	if !isByLines(b) {
		t.Fatal("not by lines")
	}
	plan := testblocks.Plan(b)
	whole := &search[float64]{sets: portable().float64}
	for _, set := range kernelSets() {
		got := results(t, plan, Options{Kernels: set.name}, plan.Batches)
		for i, batch := range plan.Batches {
			want, err := whole.Run(t.Context(), b, batch)
			if err != nil || !slices.Equal(got[i].Scores, want.Scores) {
				t.Errorf("%s, batch %d: scores have other bits (%v)", set.name, i, err)
			}
		}
	}
}

// Of a block with more path counts that 16 bits do not hold than are kept elsewhere, not many more are.
func TestManyPathsEnd(t *testing.T) {
	b := layered(40, 10, maxLanes)
	b.Entries = b.Vertices()
	for _, set := range kernelSets() {
		s := newByLines(set, listRoom, maxLanes)
		if _, err := s.Run(t.Context(), b, preprocess.Batch{Count: maxLanes}); err != nil {
			t.Fatal(err)
		}
		if most := mostMany(b) + maxLanes; !s.countable || s.byEntry || len(s.many) == 0 || len(s.many) > most {
			t.Errorf("%s: countable %v, by entry %v, %d numbers, at most %d wanted", set.name, s.countable, s.byEntry, len(s.many), most)
		}
	}
}

// Of wide blocks go by entries, with kernels that would have that, those whose bits do not depend on it.
func TestWideByEntries(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 11))
	wide, other := kernelSet{wideEntries: true}, kernelSet{}
	for name, c := range map[string]struct {
		byEntries bool
		change    func(*preprocess.Block)
	}{
		"as it is":                 {true, func(b *preprocess.Block) {}},
		"sources are drawn":        {false, func(b *preprocess.Block) { b.Draws = make([]float64, b.Vertices()) }},
		"directed":                 {false, func(b *preprocess.Block) { b.In = b.Reverse() }},
		"nobody knows the entries": {false, func(b *preprocess.Block) { b.Entries = 0 }},
	} {
		b := randomBlock(r, 600, 1200, maxLanes)
		b.Entries = 4 * b.Vertices()
		clear(b.To)
		c.change(b)
		if wide.byLines(b) == c.byEntries || !other.byLines(b) {
			t.Errorf("%s: by lines %v and %v", name, wide.byLines(b), other.byLines(b))
		}
	}
}

// Counts that overflow show in the self-check, even where no path goes on.
func TestOverflowByLines(t *testing.T) {
	const width, depth = 10, 320
	var arcs []testgraphs.Edge
	for v := range uint32(width * (depth - 1)) {
		for to := v/width*width + width; to < v/width*width+2*width; to++ {
			arcs = append(arcs, testgraphs.Edge{v, to})
		}
	}
	b := testblocks.Directed(width*depth, arcs, 64)
	for _, set := range kernelSets() {
		s := newByLines(set, listRoom, maxLanes)
		got, err := s.Run(t.Context(), b, preprocess.Batch{Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Got[0]-got.Want[0]) <= 1e-6*got.Want[0] {
			t.Errorf("%s: got %v, want %v: nothing shows that counts overflow", set.name, got.Got[0], got.Want[0])
		}
	}
}

// Line kernels are twins on frames that hold anything at all.
func TestLineKernelsAreTwins(t *testing.T) {
	for seed := range uint64(600 / testgraphs.OneIn) {
		compareLineKernels(t, seed)
	}
}

func FuzzLineKernels(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { compareLineKernels(t, seed) })
}

func compareLineKernels(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 15))
	f, rows := randomFrame[float64](r, lineLanes)
	line, n := r.IntN(lineLanes), len(f.weight)
	f.list, f.listMask = nil, nil
	var entries links
	for _, v := range f.vertex {
		mask := r.Uint64() & (r.Uint64() | r.Uint64())
		if r.IntN(3) == 0 {
			mask &^= 0xff << (line * lineLanes)
		}
		for range r.IntN(4) * r.IntN(4) {
			f.list = append(f.list, uint32(r.IntN(n)))
			f.listMask = append(f.listMask, r.Uint64()&r.Uint64()&mask)
		}
		entries.vertex, entries.mask, entries.end = append(entries.vertex, v), append(entries.mask, mask), append(entries.end, uint32(len(f.list)))
		entries.number = append(entries.number, uint32(len(entries.number)))
	}
	end, count := len(f.list), len(entries.vertex)
	for range listedAhead { // what is behind counts for nothing
		f.list, f.listMask = append(f.list, 0), append(f.listMask, r.Uint64())
	}
	for i := range entries.mask[:entries.room(listedAhead)+listedAhead][count:] {
		entries.mask[count+i] = r.Uint64()
	}
	entries.cut(count)
	for i := range f.source {
		f.source[i], f.reached[i], f.got[i] = float64(r.IntN(9)), r.Float64(), r.Float64()
		f.draws[i], f.share[i], f.stretch[i] = float64(r.IntN(4)), r.Float64(), float64(1+r.IntN(9))
	}
	f.drawn, f.squares = make([]float64, n), make([]float64, n)
	f.sums = make([][lineLanes]float64, count)
	for i := range f.sums {
		f.sums[i][r.IntN(lineLanes)] = r.Float64()
	}
	switch r.IntN(3) {
	case 0: // with path counts by entry
		f.counts = make([]uint16, count*maxLanes)
		for i := range f.counts {
			if entries.mask[i/maxLanes]>>(i%maxLanes)&1 == 1 {
				f.counts[i] = uint16(max(1, r.IntN(1<<r.IntN(17))))
			}
		}
	case 1: // with dead ends
		f.level, f.deadEndOffsets = uint16(noLevel+1+r.IntN(4)), []int64{0}
		for range n * lineLanes {
			f.near, f.more = append(f.near, uint16(r.IntN(2)*(noLevel+1+r.IntN(4)))), append(f.more, r.Float64())
		}
		for range r.IntN(n) {
			f.deadEnds = append(f.deadEnds, uint32(r.IntN(n)))
			for range 1 + r.IntN(4) {
				f.deadEndTargets = append(f.deadEndTargets, uint32(r.IntN(n)))
			}
			f.deadEndOffsets = append(f.deadEndOffsets, int64(len(f.deadEndTargets)))
		}
		f.deadEndTargets = append(f.deadEndTargets, make([]uint32, listedAhead)...)
	}
	_, to := pages.Aligned([]float64(nil), n*lineLanes)
	_, from := pages.Aligned([]float64(nil), n*lineLanes)
	for i := range from {
		from[i], to[i] = float64(r.IntN(5))*r.Float64(), r.Float64()
	}
	stays := r.IntN(2) == 0
	run := func(set lineKernels, byEntry bool, pass func(f *frame, rows []float64, line, entries int)) string {
		c, rows := *f, cloneRows(rows)
		c.scores, c.line, c.sums = slices.Clone(c.scores), lineFrame{}, slices.Clone(c.sums)
		c.drawn, c.squares = slices.Clone(c.drawn), slices.Clone(c.squares)
		c.near, c.more = slices.Clone(c.near), slices.Clone(c.more)
		c.line.room(end, count)
		c.line.roomBefore(end)
		c.line.from, c.line.to = cloneRows(from), cloneRows(to)
		if stays {
			c.line.stays = rows
		}
		if byEntry { // as backwardByEntry takes it
			c.line.stays = nil
		}
		listed := set.keepRows(&c, line, end)
		kept := set.keepEntries(&c, line, &entries)
		c.line.markFirst(kept)
		c.line.sumMemory, c.line.rowSums = pages.Aligned([]float64(nil), (kept+1)*lineLanes)
		set.addLine(&c, listed)
		pass(&c, rows, line, kept)
		return fmt.Sprintln("listed", listed, c.line.rowAt[:listed], "rows", rows, "to", c.line.to, "scores", c.scores, "reached", c.reached, "got", c.got, "entries", c.line.entryAt[:kept], c.line.entryMask[:kept], c.line.entryEnd[:kept],
			"sums", c.sums, "drawn", c.drawn, c.squares, "near", c.near, "more", c.more, "beyond", c.beyond)
	}
	deadEnds := func(set lineKernels) func(f *frame, rows []float64, line, entries int) {
		return func(f *frame, rows []float64, line, _ int) {
			if f.near != nil {
				set.deadEnds(f, rows, line, len(f.deadEnds)/3, len(f.deadEnds))
			}
		}
	}
	want := goLineKernels()
	for _, set := range kernelSets() {
		for name, pass := range map[string][2]func(f *frame, rows []float64, line, entries int){
			"forward": {set.line.forward, want.forward}, "backward": {set.line.backward, want.backward}, "last": {set.line.last, want.last},
			"backwardKept": {set.line.backwardKept, want.backwardKept}, "deadEnds": {deadEnds(set.line), deadEnds(want)},
			"backwardByEntry": {set.line.backwardByEntry, want.backward}, "backwardKeptByEntry": {set.line.backwardKeptByEntry, want.backwardKept}, "lastByEntry": {set.line.lastByEntry, want.last},
			"backwardDrawn": {set.line.backwardDrawn, want.backwardDrawn}, "lastDrawn": {set.line.lastDrawn, want.lastDrawn},
		} {
			byEntry := strings.HasSuffix(name, "ByEntry")
			if byEntry && f.counts == nil {
				continue
			}
			if got, want := run(set.line, byEntry, pass[0]), run(want, byEntry, pass[1]); got != want {
				t.Fatalf("%s, seed %d: %s:\n%s\nwant\n%s", set.name, seed, name, got, want)
			}
		}
	}
}
