package lengths_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// checkDistances compares the batches of a block with the reference.
func checkDistances(t *testing.T, name string, s *lengths.Search, b *preprocess.Block) {
	t.Helper()
	b.Distances, b.Multiplicity = true, nil
	for _, batch := range testblocks.Plan(b).Batches {
		got, err := s.RunDistances(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]engine.Found, b.Vertices())
		for _, source := range b.Sources[batch.First:][:batch.Count] {
			distances, err := textbook.Distances(t.Context(), b, source)
			if err != nil {
				t.Fatal(err)
			}
			for v, d := range distances {
				if d <= 0 {
					continue
				}
				f := &want[v]
				if b.Own {
					f = &want[source]
				}
				f.Reach++
				f.Farness += uint64(d)
				f.Eccentricity = max(f.Eccentricity, uint64(d))
				f.Inverse += 1 / float64(d)
			}
		}
		for v, w := range want {
			g := got.Found[v]
			if math.Abs(g.Inverse-w.Inverse) > 1e-12*w.Inverse {
				t.Fatalf("%s: vertex %d: inverse distances %v, want %v", name, v, g.Inverse, w.Inverse)
			}
			if g.Inverse = w.Inverse; g != w {
				t.Fatalf("%s: vertex %d: found %+v, want %+v", name, v, g, w)
			}
		}
	}
}

// Distances equal the reference's, in 16 bits or more, along arcs and within a cutoff.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(30, 7))
	s := lengths.New(false)
	for round := range 1000 / testgraphs.OneIn {
		b := randomBlock(r, 80)
		if most := []int64{0, 1000, 4094}[r.IntN(3)]; most > 0 { // some paths are too long for 16 bits
			if b.Lengths = nil; b.Directed() {
				b.In.Lengths = nil
				testblocks.ArcLengths(b, func() int64 { return 1 + r.Int64N(most) })
			} else {
				testblocks.Lengths(r, b, most)
			}
		}
		b.Own = r.IntN(2) == 0
		if r.IntN(4) == 0 {
			b.Cutoff = 1 + r.IntN(1<<r.IntN(16))
		}
		checkDistances(t, fmt.Sprint("round ", round), s, b)
	}
}

// The longest distance just fits in 16 bits, or just does not. The first group of a batch finds it, or the
// last.
func TestDistancesOfSixteenBits(t *testing.T) {
	const arcs = 40
	for _, longest := range []int64{28_000, 1<<15 - 2, 1<<15 - 1, 1 << 15, 1<<15 + 1, 40_000} {
		for _, atEnd := range []bool{false, true} {
			var edges []testgraphs.Edge
			for v := range uint32(arcs) {
				edges = append(edges, testgraphs.Edge{v, v + 1})
			}
			b := testblocks.Of(arcs+1, edges, arcs+1)
			for v := range uint32(arcs + 1) {
				for _, u := range b.Neighbours(v) {
					length := longest / arcs
					if min(u, v) == 0 {
						length += longest % arcs
					}
					b.Lengths = append(b.Lengths, length)
				}
			}
			b.Sources = b.Sources[:0]
			for v := range uint32(arcs) {
				if atEnd {
					v = arcs - 1 - v
				}
				b.Sources = append(b.Sources, v)
			}
			checkDistances(t, fmt.Sprintf("longest %d, met at the end %t", longest, atEnd), lengths.New(false), b)
		}
	}
}
