package gpu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/seating"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// For any batches, each is in one unit, its sources are in its unit's packs in
// order, and no pack has too many.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		lanes := 32 << r.IntN(2)
		var batches []engine.Batch
		first := 0
		for i := range 1 + r.IntN(12) {
			if r.IntN(4) == 0 {
				first += r.IntN(50) // a batch between belongs to another engine
			}
			b := engine.Batch{Index: len(batches) + first*1000, Block: 3, First: first, Count: 1 + r.IntN(150)}
			if i > 0 && batches[i-1].First+batches[i-1].Count == first {
				b.Index = batches[i-1].Index + 1
			}
			batches = append(batches, b)
			first += b.Count
		}
		at := 0
		for _, u := range seating.Cut(batches, lanes) {
			var sources, packed []int
			for _, b := range u.Batches {
				if b != batches[at] {
					t.Fatalf("unit has %v, want %v", b, batches[at])
				}
				at++
				for s := range b.Count {
					sources = append(sources, b.First+s)
				}
			}
			for _, p := range u.Packs {
				if p.Count < 1 || p.Count > lanes {
					t.Fatalf("pack of %d sources with %d lanes", p.Count, lanes)
				}
				for s := range p.Count {
					packed = append(packed, p.First+s)
				}
			}
			if len(sources) != len(packed) || len(u.Batches) > 1 && len(u.Packs) > 1 {
				t.Fatalf("unit %+v", u)
			}
			for i := range sources {
				if sources[i] != packed[i] {
					t.Fatalf("unit %+v", u)
				}
			}
		}
		if at != len(batches) {
			t.Fatalf("%d of %d batches cut", at, len(batches))
		}
	}
}

func TestTogether(t *testing.T) {
	units := []seating.Unit{{Packs: make([]seating.Pack, 2)}, {Packs: make([]seating.Pack, 1)}, {Packs: make([]seating.Pack, 3)}}
	for most, want := range []int{1, 1, 1, 2, 2, 2, 3, 3} {
		if got := seating.Together(units, most); got != want {
			t.Errorf("%d packs at most: %d units, want %d", most, got, want)
		}
	}
}

// A batch whose check sums disagree comes alone, others come together, and few
// apart.
func TestDoubtfulBatchesComeAlone(t *testing.T) {
	// Path counts beyond float32 in the middle of a long ladder of squares.
	const squares = 200
	plan := testblocks.Plan(testblocks.Of(3*squares+1, testgraphs.Diamonds(squares), 16))
	s := simulate(t, Options{Precision: engine.Float32, MinBlock: 1})
	surveys, err := Survey(t.Context(), plan, s.options)
	if err != nil {
		t.Fatal(err)
	}
	survey := surveys[0]
	survey.Paths = 1 // otherwise the block would be searched in float64
	surveys[0] = survey
	engines, err := s.Engines(t.Context(), plan, surveys)
	if err != nil {
		t.Fatal(err)
	}
	for _, mixed := range []bool{false, true} {
		engines[0].(*runner).blocks[0].shape.Mixed = mixed
		sound, doubted := 0, 0
		err = engines[0].Run(t.Context(), taker(plan), func(r engine.Result) error {
			for i := range r.Got {
				if doubtful(r.Got[i], r.Want[i], engine.Float32) {
					doubted++
					if r.More > 3 { // batches that share a pack come together
						t.Errorf("mixed %v: batch %d with %d more is doubtful", mixed, r.Batch.Index, r.More)
					}
					return nil
				}
			}
			sound += r.More + 1
			return nil
		})
		if err != nil || sound == 0 || doubted == 0 {
			t.Errorf("mixed %v: %d batches sound, %d results doubtful, %v", mixed, sound, doubted, err)
		}
	}
}

func TestFewBatchesComeApart(t *testing.T) {
	plan := testblocks.Plan(grid(8, 128, 64))
	for _, c := range []struct{ most, results int }{{4, 16}, {5, 4}, {1000, 1}} {
		s := simulate(t, Options{MinBlock: 1, Packs: 16, Streams: 1})
		take := taker(plan)
		results := 0
		err := engineOf(t, s, plan).Run(context.Background(), func(ctx context.Context, most int) []engine.Batch { return take(ctx, min(most, c.most)) },
			func(engine.Result) error { results++; return nil })
		if err != nil || results != c.results {
			t.Errorf("%d at once: %d results, want %d (%v)", c.most, results, c.results, err)
		}
	}
}

func TestDoubtful(t *testing.T) {
	for _, c := range []struct {
		got, want float64
		doubt     bool
	}{
		{0, 0, false}, {5, 5, false}, {5 + 1e-12, 5, false}, {5 + 1e-8, 5, true}, {1, 0, true},
		{math.NaN(), 5, true}, {math.Inf(1), 5, true}, {math.Inf(1), math.Inf(1), true},
	} {
		if doubtful(c.got, c.want, engine.Float64) != c.doubt {
			t.Errorf("got %v, want %v: not %v", c.got, c.want, c.doubt)
		}
	}
	if doubtful(5*(1+1e-6), 5, engine.Float32) || !doubtful(5*(1+1e-5), 5, engine.Float32) {
		t.Error("float32: 1e-6 is rounding, 1e-5 is not")
	}
}

// Where hubs determine distances, a wave's sources are mixed; sums and check sums
// are still those of each source.
func TestMixedWaves(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	hubby := weigh(r, stars(900, 1, 24), true)
	hubby.To = slices.Clone(hubby.From)
	slices.Reverse(hubby.To)
	r.Shuffle(len(hubby.Sources), func(i, j int) {
		hubby.Sources[i], hubby.Sources[j] = hubby.Sources[j], hubby.Sources[i]
	})
	plan := testblocks.Plan(hubby, random(r, 300, 900, 300, 64))
	want := reference(t, plan)
	for _, o := range []Options{{}, {Lanes: 32}, {Packs: 5}, {Packs: 2, Streams: 1}} {
		o.MinBlock, o.Strategy = 1, methods.Levels
		s := simulate(t, o)
		if c := engineOf(t, s, plan).Choices(); !c[0].Mixed || c[1].Mixed {
			t.Fatalf("choices %+v", c)
		}
		compare(t, fmt.Sprintf("%+v", o), runAll(t, s, plan), want, 1e-12)
	}
}
