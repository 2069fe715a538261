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
)

// Searches line by line and by rows give the same numbers, whatever the length of lists. All kernels, and
// path counts by entry or by row, give the same bits. Scores of undirected blocks have the bits of rows.
func TestByLines(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 8))
	byEntry, withMany := 0, 0
	for round := range 2000 / testgraphs.OneIn {
		n := 2 + r.IntN(120)
		directed, lanes := round%4 > 0, MaxLanes
		if r.IntN(2) == 0 {
			lanes = 1 + r.IntN(MaxLanes)
		}
		b := testblocks.Random(r, n, r.IntN(3*n), lanes)
		if directed {
			b = testblocks.RandomDirected(r, n, r.IntN(6*n), lanes)
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
			most := 4 << r.IntN(7) // the largest make path counts exceed 16 bits
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
		whole := &search[float64]{set: Portable().float64}
		for _, room := range []int{listRoom, 1 + r.IntN(3000), 1} {
			sets := []*byLines{newLines(withoutEntries(Portable()), room, 0)}
			for _, set := range Sets() {
				sets = append(sets, newLines(set, room, MaxLanes), newLines(set, room, 2))
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
				testblocks.WantClose(t, name+" scores", got.Scores, want.Scores, 1e-12)
				testblocks.WantClose(t, name+" drawn", got.Drawn, want.Drawn, 1e-12)
				testblocks.WantClose(t, name+" squares", got.Squares, want.Squares, 1e-12)
				if !directed && b.Draws == nil && !slices.Equal(got.Scores, want.Scores) {
					t.Fatalf("%s: scores have other bits", name)
				}
				testblocks.WantClose(t, name+" got", got.Got, want.Got, 1e-12)
				testblocks.WantClose(t, name+" want", got.Want, want.Want, 1e-12)
				if got.Work != want.Work {
					t.Fatalf("%s: %+v, want %+v", name, got.Work, want.Work)
				}
				for i, s := range sets[1:] {
					again, err := s.Run(t.Context(), b, batch)
					if err != nil || !reflect.DeepEqual(again, got) {
						t.Fatalf("%s: %s gives %+v, %v; want %+v", name, Sets()[i/2].Name, again, err, got)
					}
					if s.byEntry {
						byEntry++
						withMany += nonzero(uint64(len(s.withMany)))
					}
				}
			}
		}
	}
	if byEntry < 1000/testgraphs.OneIn || withMany < 40/testgraphs.OneIn {
		t.Errorf("%d batches went out by entries, %d with many paths", byEntry, withMany)
	}
}

// withoutEntries removes the forward pass by entries from a set.
func withoutEntries(set Set) Set {
	set.linesOut = nil
	return set
}

// Blocks whose levels exceed 16 bits are searched with their dead ends.
func TestManyLevelsByLines(t *testing.T) {
	const deep = 1<<16 + 100
	var arcs []testgraphs.Edge
	for v := range uint32(deep) {
		arcs = append(arcs, testgraphs.Edge{v, v + 1}, testgraphs.Edge{v, deep + 1 + v/2})
	}
	b := testblocks.Directed(deep+1+deep/2, arcs, 8)
	b.Sources = []uint32{0, 2, deep - 50, deep - 10}
	whole := &search[float64]{set: Portable().float64}
	for _, set := range Sets() {
		s := newLines(set, listRoom, MaxLanes)
		for _, batch := range []engine.Batch{{Count: 4}, {First: 2, Count: 2}, {Count: 1}, {First: 2, Count: 2}} {
			got, err := s.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			want, err := whole.Run(t.Context(), b, batch)
			if err != nil {
				t.Fatal(err)
			}
			testblocks.WantClose(t, "scores", got.Scores, want.Scores, 1e-12)
			testblocks.WantClose(t, "got", got.Got, want.Got, 1e-12)
			testblocks.WantClose(t, "want", got.Want, want.Want, 1e-12)
		}
	}
}

// A search line by line ends when its context does, at any point of a batch. No kept sum remains
// for the next batches, which have more lines, or fewer.
func TestByLinesStop(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 2))
	for round := range 24 {
		n := 60 + r.IntN(60)
		b := testblocks.Random(r, n, 2*n, MaxLanes)
		if round%4 > 0 {
			b = testblocks.RandomDirected(r, n, 2*n, MaxLanes)
		}
		batches := []engine.Batch{{Count: 1 + r.IntN(60)}, {First: 2, Count: 1 + r.IntN(20)}, {First: 1, Count: 40}}
		sets := Sets()
		if round%2 == 0 {
			b.Entries = entriesEach * n
			clear(b.To)
			b.To[n-1] = 3
		}
		set, room := sets[round%len(sets)], 1+r.IntN(500)
		s := newLines(set, room, MaxLanes)
		for i, batch := range batches {
			fresh := newLines(set, room, MaxLanes)
			ctx := testending.After(t.Context(), math.MaxInt)
			want, err := fresh.Run(ctx, b, batch)
			if err != nil {
				t.Fatal(err)
			}
			for range 12 {
				until := r.IntN(ctx.Looks())
				if _, err := s.Run(testending.After(t.Context(), until), b, batches[r.IntN(i+1)]); err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				got, err := s.Run(t.Context(), b, batch)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("round %d, batch %d, after the end of a context at look %d: %+v, %v; want %+v", round, i, until, got, err, want)
				}
			}
		}
	}
}

// A search stops soon after too many path counts exceed 16 bits.
func TestManyPathsEnd(t *testing.T) {
	b := testblocks.Layered(40, 10, MaxLanes)
	b.Entries = b.Vertices()
	for _, set := range Sets() {
		s := newLines(set, listRoom, MaxLanes)
		if _, err := s.Run(t.Context(), b, engine.Batch{Count: MaxLanes}); err != nil {
			t.Fatal(err)
		}
		if most := mostMany(b) + MaxLanes; !s.countable || s.byEntry || len(s.many) == 0 || len(s.many) > most {
			t.Errorf("%s: countable %v, by entry %v, %d numbers, at most %d wanted", set.Name, s.countable, s.byEntry, len(s.many), most)
		}
	}
}

// Path counts that overflow show in the self-check, even at vertices where paths end.
func TestOverflowByLines(t *testing.T) {
	const width, depth = 10, 320
	var arcs []testgraphs.Edge
	for v := range uint32(width * (depth - 1)) {
		for to := v/width*width + width; to < v/width*width+2*width; to++ {
			arcs = append(arcs, testgraphs.Edge{v, to})
		}
	}
	b := testblocks.Directed(width*depth, arcs, 64)
	for _, set := range Sets() {
		s := newLines(set, listRoom, MaxLanes)
		got, err := s.Run(t.Context(), b, engine.Batch{Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Got[0]-got.Want[0]) <= 1e-6*got.Want[0] {
			t.Errorf("%s: got %v, want %v: nothing shows that counts overflow", set.Name, got.Got[0], got.Want[0])
		}
	}
}
