package pairs

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// hubs is a block of layers: a few ends, hubs in layers that are joined at random, and a
// few more ends. Each end is joined to a part of the hubs beside it.
func hubs(r *rand.Rand, ends, width, layers int) *preprocess.Block {
	var edges []testgraphs.Edge
	join := func(from, size, next, nextSize int, p float64) {
		for u := range size {
			for v := range nextSize {
				if r.Float64() < p {
					edges = append(edges, testgraphs.Edge{uint32(from + u), uint32(next + v)})
				}
			}
		}
	}
	n := ends
	join(0, ends, n, width, 0.4)
	for range layers - 1 {
		join(n, width, n+width, width, 0.5)
		n += width
	}
	join(n, width, n+width, ends, 0.4)
	n += width + ends
	b := testblocks.Of(n, edges, 64)
	b.From, b.To = make([]float64, n), make([]float64, n)
	for v := range ends {
		b.From[v], b.To[n-1-v] = 1, 1
	}
	return b
}

// oneWay is hubs of two layers in one direction. A third of the first layer leads nowhere
// and nothing leads to a third of the second: rows that are searched may be empty.
func oneWay(r *rand.Rand) *preprocess.Block {
	const ends, width = 3, 150
	n := 2 * (ends + width)
	var arcs []testgraphs.Edge
	for u := range ends {
		for v := range width {
			if r.Float64() < 0.8 {
				arcs = append(arcs, testgraphs.Edge{uint32(u), uint32(ends + v)})
			}
			if r.Float64() < 0.8 {
				arcs = append(arcs, testgraphs.Edge{uint32(ends + width + v), uint32(n - 1 - u)})
			}
		}
	}
	for u := range width {
		for v := range width {
			if u%3 > 0 && v%3 > 0 && r.Float64() < 0.3 {
				arcs = append(arcs, testgraphs.Edge{uint32(ends + u), uint32(ends + width + v)})
			}
		}
	}
	b := testblocks.Directed(n, arcs, 64)
	b.From, b.To = make([]float64, n), make([]float64, n)
	for v := range ends {
		b.From[v], b.To[n-1-v] = 1, 1
	}
	return b
}

// A guess is one of the arcs between two levels, with the frequency of its paths, for
// several counts of levels and multiplicities: the same as scanning all arcs.
func TestGuessIsEven(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	for _, levels := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}} {
		for _, alike := range []bool{false, true} {
			b := hubs(r, 2, 60, levels[0]+levels[1])
			if alike {
				for range b.From {
					b.Multiplicity = append(b.Multiplicity, float64(1+r.IntN(3)))
				}
			}
			x := newSearch(New(b, 2))
			near, far := &x.sides[0], &x.sides[1]
			near.start(0)
			far.start(uint32(b.Vertices() - 1))
			for i, side := range []*side{near, far} {
				for range levels[i] {
					side.advance()
				}
			}
			if !x.meet(near, far) {
				t.Fatalf("%v: the sides do not meet", levels)
			}
			type arc struct{ leave, lead uint32 }
			want, total := map[arc]float64{}, 0.0
			for i, v := range x.lead {
				paths := near.count(int(x.leave[i])) * far.count(far.number(v))
				want[arc{x.leave[i], v}] = paths
				total += paths
			}
			got, guessed := map[arc]float64{}, 0.0
			for i := range uint64(60_000) {
				random := newRandom(1, 2, i)
				if x.guess(near, far, &random) {
					got[arc{x.leave[0], x.lead[0]}]++
					guessed++
				}
			}
			if guessed < 50_000 {
				t.Fatalf("%v: %v of 60000 guesses met", levels, guessed)
			}
			square := 0.0
			for a, paths := range want {
				expected := guessed * paths / total
				square += (got[a] - expected) * (got[a] - expected) / expected
				delete(got, a)
			}
			if len(got) > 0 {
				t.Errorf("%v: no arcs are %v", levels, got)
			}
			if freedom := float64(len(want) - 1); square > freedom+4*math.Sqrt(2*freedom) {
				t.Errorf("%v, alike %v: chi square is %.1f with %.0f degrees of freedom", levels, alike, square, freedom)
			}
		}
	}
}

// Rows of any lengths are searched at once, each for its own vertex.
func TestAmong(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 2))
	for range 3000 {
		var rows [together][]uint32
		var v [together]uint32
		want := uint(0)
		for i := range rows {
			for range r.IntN(1 + r.IntN(100)) {
				rows[i] = append(rows[i], r.Uint32N(150))
			}
			slices.Sort(rows[i])
			rows[i] = slices.Compact(rows[i])
			v[i] = r.Uint32N(150)
			if slices.Contains(rows[i], v[i]) {
				want |= 1 << i
			}
		}
		if got := among(&rows, &v); got != want {
			t.Fatalf("%v in %v: %b, not %b", v, rows, got, want)
		}
	}
}
