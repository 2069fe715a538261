package pairs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

func draw(t testing.TB, b *preprocess.Block, d Draws) Counts {
	t.Helper()
	c, err := New(b, 2).Draw(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// truth is T by local vertex, then by edge; for a class, of all its members.
func truth(t testing.TB, b *preprocess.Block) []float64 {
	t.Helper()
	n := b.Vertices()
	exact := engine.Result{Scores: make([]float64, n), Flows: make([]float64, counted(b)-n), Got: make([]float64, len(b.Sources)), Want: make([]float64, len(b.Sources))}
	if err := textbook.Result(context.Background(), b, b.Sources, &exact); err != nil {
		t.Fatal(err)
	}
	for v := range b.Multiplicity {
		exact.Scores[v] *= b.Multiplicity[v]
	}
	from, to := b.Pairs()
	all := slices.Concat(exact.Scores, exact.Flows)
	for i := range all {
		all[i] /= from * to
	}
	return all
}

// Over many seeds, the mean of every vertex is its true T within four standard
// errors, whatever the graph. Paths not drawn uniformly would show here, and so
// would any wrong factor.
func TestNoBias(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	twins := testgraphs.Random(r, 60, 60, 60)
	for v := uint32(60); v < 90; v++ { // copies of others
		for _, e := range twins {
			if e[0] == v-50 || e[1] == v-50 {
				twins = append(twins, testgraphs.Edge{v, e[0] ^ e[1] ^ (v - 50)})
			}
		}
	}
	blocks := map[string]*preprocess.Block{
		"streets":  testblocks.Of(0, nil, 64),
		"twins":    &testblocks.Reduced(t, twins, preprocess.Options{}).Blocks[0],
		"social":   uneven(r, testblocks.Of(300, testgraphs.Random(r, 300, 300, 900), 64)),
		"directed": uneven(r, testblocks.Directed(200, testgraphs.Random(r, 200, 200, 800), 64)),
	}
	streets := testgraphs.CutGrid(r, 400, 1)
	blocks["streets"] = testblocks.Of(order(streets), streets, 64)
	for _, name := range []string{"streets", "directed"} {
		blocks[name+", lengths"] = withLengths(r, blocks[name], 4)
	}
	blocks["trips"] = withTrips(r, blocks["directed, lengths"])
	for _, name := range []string{"twins", "directed", "streets, lengths"} {
		counts := *blocks[name]
		blocks[name+", edges"] = testblocks.Flows(&counts)
	}
	for name, b := range blocks {
		want := truth(t, b)
		var total Counts
		seeds := uint64(200)
		if b.HasFlows() || b.HasTrips() {
			seeds = 50 // of others with the same paths there are more
		}
		for seed := range seeds {
			total.Add(draw(t, b, Draws{Seed: seed, Count: 2000, Threads: 2}))
		}
		k, sum, sumWant := float64(total.Draws), 0.0, 0.0
		for v, count := range total.Inner {
			mean, deviation := float64(count)/k, math.Sqrt(want[v]*(1-want[v])/k)
			if math.Abs(mean-want[v]) > 4.2*deviation+3/k {
				t.Errorf("%s: vertex %d has mean %v, %.1f standard errors from %v", name, v, mean, (mean-want[v])/deviation, want[v])
			}
			sum, sumWant = sum+mean, sumWant+want[v]
		}
		if ratio := sum / sumWant; math.Abs(ratio-1) > 0.005 {
			t.Errorf("%s: all together are %v times what they should be", name, ratio)
		}
		if int64(math.Round(sum*k)) != total.Length {
			t.Errorf("%s: paths have %d inner vertices and edges, and %v were counted", name, total.Length, sum*k)
		}
	}
}

// Path counts beyond float64: 20^898 shortest paths from one end to the other. The
// vertices of a layer are alike, so they have equal counts.
func TestCountsBeyondFloat64(t *testing.T) {
	const width, depth = 20, 900
	b := testblocks.Of(width*depth, testgraphs.Layers(width, depth), 64)
	countsBeyondFloat64(t, b, width, depth)
	countsBeyondFloat64(t, withLengths(rand.New(rand.NewPCG(1, 1)), b, 1), width, depth)
}

func countsBeyondFloat64(t *testing.T, b *preprocess.Block, width, depth int) {
	const draws = 400
	c := draw(t, b, Draws{Seed: 3, Count: draws, Threads: 2})
	if c.Paths < draws*9/10 {
		t.Fatalf("%d of %d pairs had a path", c.Paths, draws)
	}
	square := 0.0
	for layer := range depth {
		all := 0.0
		for _, count := range c.Inner[layer*width : (layer+1)*width] {
			all += float64(count)
		}
		for _, count := range c.Inner[layer*width : (layer+1)*width] {
			mean := all / float64(width)
			square += (float64(count) - mean) * (float64(count) - mean) / max(mean, 1)
		}
	}
	if freedom := float64(depth * (width - 1)); square > freedom+5*math.Sqrt(2*freedom) {
		t.Errorf("chi square is %.0f with %.0f degrees of freedom", square, freedom)
	}
}

// Threads and shards do not change results.
func TestDrawsAreTheSameWhoeverMakesThem(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	plain := uneven(r, testblocks.Of(500, testgraphs.Random(r, 500, 100, 700), 64))
	for _, b := range []*preprocess.Block{plain, withLengths(r, plain, 9)} {
		sameWhoeverDraws(t, b)
	}
}

func sameWhoeverDraws(t *testing.T, b *preprocess.Block) {
	b = testblocks.Flows(b)
	want := draw(t, b, Draws{Seed: 5, Stage: 2, Count: 3001, Threads: 1})
	many := draw(t, b, Draws{Seed: 5, Stage: 2, Count: 3001, Threads: 8})
	var parts Counts
	for _, part := range [][2]int64{{0, 7}, {1500, 1501}, {7, 1493}} {
		parts.Add(draw(t, b, Draws{Seed: 5, Stage: 2, First: part[0], Count: part[1], Threads: 3}))
	}
	if fmt.Sprint(many) != fmt.Sprint(want) {
		t.Error("8 threads count otherwise than one")
	}
	if fmt.Sprint(parts) != fmt.Sprint(want) {
		t.Error("parts of a stage do not add up to it")
	}
	if other := draw(t, b, Draws{Seed: 5, Stage: 3, Count: 3001, Threads: 1}); slices.Equal(other.Inner, want.Inner) {
		t.Error("two stages draw the same pairs")
	}
	if other := draw(t, b, Draws{Seed: 6, Stage: 2, Count: 3001, Threads: 1}); slices.Equal(other.Inner, want.Inner) {
		t.Error("two seeds draw the same pairs")
	}
}

// find finds the listed vertices that are neighbours.
func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 2000 {
		some := func(most int) (list []uint32) {
			for range r.IntN(most) {
				list = append(list, r.Uint32N(200))
			}
			slices.Sort(list)
			return slices.Compact(list)
		}
		row := some(150)
		others := some(20)
		x := new(search)
		x.find(7, row, others)
		var want []uint32
		for _, v := range others {
			if slices.Contains(row, v) {
				want = append(want, v)
			}
		}
		if !slices.Equal(x.lead, want) || len(x.leave) != len(want) {
			t.Fatalf("%v among %v: %v", others, row, x.lead)
		}
	}
}

// Every unit of mass is equally likely: one value of the generator after the other.
func TestEnds(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		mass := make([]float64, 1+r.IntN(20))
		for v := range mass {
			mass[v] = float64(r.IntN(1+r.IntN(50)) * r.IntN(3))
		}
		e := newEnds(mass, 2)
		got := make([]float64, len(mass))
		for at := range e.total {
			got[e.at(at)]++
		}
		if !slices.Equal(got, mass) {
			t.Fatalf("masses %v are drawn %v times", mass, got)
		}
	}
	mass := make([]float64, 3*parallel.Interval+5) // on several threads
	for v := range mass {
		mass[v] = float64(r.IntN(3) * r.IntN(100))
	}
	one, three := newEnds(mass, 1), newEnds(mass, 3)
	for part := range one.first {
		if v := one.first[part]; v != three.first[part] || one.upTo[v] <= one.start(part) || v > 0 && one.upTo[v-1] > one.start(part) {
			t.Fatalf("part %d begins at vertices %d and %d", part, v, three.first[part])
		}
	}
}

// longestOf returns the largest number of inner vertices of a path of the block.
func longestOf(t testing.TB, b *preprocess.Block) int {
	t.Helper()
	plan, err := (&preprocess.Plan{Blocks: []preprocess.Block{*b}}).Pair(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return plan.Paired.Longest
}

// No path is longer than Longest, known before the first draw.
func TestLongest(t *testing.T) {
	for name, b := range small() {
		longest := draw(t, b, Draws{Seed: 1, Count: 1, Threads: 1})
		for i := range int64(2000) {
			c := draw(t, b, Draws{Seed: 1, First: i, Count: 1, Threads: 1})
			longest.Length = max(longest.Length, c.Length)
		}
		if limit := int64(longestOf(t, b)); longest.Length > limit || limit > 3*longest.Length+8 {
			t.Errorf("%s: a path has %d inner vertices, and at most %d were announced", name, longest.Length, limit)
		}
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := New(testblocks.Of(100, testgraphs.Ring(0, 100), 64), 2)
	if c, err := s.Draw(ctx, Draws{Count: 1 << 40, Threads: 3}); !errors.Is(err, context.Canceled) || c.Draws != 0 {
		t.Errorf("%v, %d draws", err, c.Draws)
	}
}

// A search by lengths ends in the middle of a pair when its context does.
func TestContextEndsInAPair(t *testing.T) {
	const n = 100 * interval
	b := withLengths(rand.New(rand.NewPCG(1, 1)), testblocks.Of(n, testgraphs.Path(0, n-1), 64), 9)
	x := newSearch(New(b, 2))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x.drawByLength(ctx, 0, n-1, new(random))
	if len(x.inner) > 0 || len(x.lengths.sides[0].touched) > interval {
		t.Errorf("%d vertices of a path, %d reached", len(x.inner), len(x.lengths.sides[0].touched))
	}
}
