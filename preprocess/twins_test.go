package preprocess

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
)

// twinGraph expands the vertices of a random graph into classes of twins of either kind, and
// hangs weight on some of the members.
func twinGraph(r *rand.Rand) *csr.Graph {
	k := 2 + r.IntN(6)
	var members [][]uint32
	n := uint32(0)
	var edges []edge
	for range k {
		class := make([]uint32, 1+r.IntN(4))
		for i := range class {
			class[i] = n
			n++
		}
		if r.IntN(2) == 0 {
			edges = append(edges, testgraphs.Clique(class[0], uint32(len(class)))...)
		}
		members = append(members, class)
	}
	for x := range k {
		for y := range x {
			if y != x-1 && r.IntN(2) == 0 {
				continue
			}
			for _, u := range members[x] {
				for _, v := range members[y] {
					edges = append(edges, edge{u, v})
				}
			}
		}
	}
	for range r.IntN(8) {
		edges = append(edges, edge{r.Uint32N(n), n})
		n++
	}
	return graphOf(int(n), edges)
}

func TestTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	merged, settled := 0, 0
	for range 1500 / testgraphs.OneIn {
		g := twinGraph(r)
		want := brandes(g)
		compare(t, scoresOf(t, g, Options{Lanes: 1 + r.IntN(3)}), want)
		compare(t, scoresOf(t, g, Options{Off: []string{"twins"}}), want)
		with, err := Reduce(context.Background(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		without, err := Reduce(context.Background(), g, Options{Off: []string{"twins"}})
		if err != nil {
			t.Fatal(err)
		}
		merged += with.Twins
		settled += len(without.Blocks) - len(with.Blocks)
		if without.Twins != 0 {
			t.Fatal("twins merged that should not be")
		}
	}
	if merged < 5000/testgraphs.OneIn || settled < 50/testgraphs.OneIn {
		t.Errorf("%d twins merged, %d blocks settled: too few to mean anything", merged, settled)
	}
}

// slowTwins compares all pairs.
func slowTwins(b *Block) []uint32 {
	like := make([]uint32, b.Vertices())
	for v := range like {
		like[v] = uint32(v)
		closed := func(x int) []uint32 {
			return slices.Sorted(slices.Values(append([]uint32{uint32(x)}, b.Neighbours(uint32(x))...)))
		}
		for u := range v {
			if slices.Equal(b.Neighbours(uint32(u)), b.Neighbours(uint32(v))) || slices.Equal(closed(u), closed(v)) {
				like[v] = uint32(u)
				break
			}
		}
	}
	return like
}

func TestFindTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var finder twinFinder
	for i := range 1000 {
		g := randomGraph(r)
		if i%2 == 0 {
			g = twinGraph(r)
		}
		b := &Block{Graph: *g}
		// A block has no twins without neighbours; these graphs may.
		like, count, err := finder.find(context.Background(), b, 1+i%3)
		if err != nil {
			t.Fatal(err)
		}
		want := slowTwins(b)
		saved := 0
		for v, u := range want {
			if u != uint32(v) {
				saved++
			}
		}
		if !slices.Equal(like, want) || count != saved {
			t.Fatalf("%v, %d saved, want %v, %d", like, count, want, saved)
		}
	}
}

// Equal hashes must not be taken for equal neighbours.
func TestTwinsOfEqualKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 200 {
		b := &Block{Graph: *twinGraph(r)}
		n := b.Vertices()
		f := twinFinder{keys: make([]uint64, n), like: make([]uint32, n)}
		for v := range f.like {
			f.like[v] = uint32(v)
		}
		f.classify(t.Context(), 1+i%3, b.falseTwins)
		f.classify(t.Context(), 1+i%3, b.trueTwins)
		if want := slowTwins(b); !slices.Equal(f.like, want) {
			t.Fatalf("%v, want %v", f.like, want)
		}
	}
}

// Lengths may all be multiples of a large number, as most are when rounded to binary
// fractions. The low bits of keys, which choose the place in a table, must still separate
// vertices.
func TestTwinKeysOfLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 17))
	g := withLengths(r, graphOf(1000, testgraphs.Random(r, 1000, 1000, 3000)), 100)
	for e := range g.Lengths {
		g.Lengths[e] <<= 40
	}
	var finder twinFinder
	if _, _, err := finder.find(t.Context(), &Block{Graph: *g}, 2); err != nil {
		t.Fatal(err)
	}
	places := map[uint64]bool{}
	for _, key := range finder.keys {
		places[key%1024] = true
	}
	if len(places) < 512 { // 637 of 1000 by chance, less twins
		t.Errorf("%d of 1024 places for 1000 vertices", len(places))
	}
}

// With masses that differ, classes of twins give the same scores as their members one by one.
func TestTwinsOfTwoMasses(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	merged := 0
	for range 500 / testgraphs.OneIn {
		g := twinGraph(r)
		n := g.Vertices()
		if order, _, _ := search(g, 0, nil); len(order) < n {
			t.Fatal("a block is connected")
		}
		plain := Block{Graph: *g, Paths: Paths{From: make([]float64, n), To: make([]float64, n)}}
		for v := range n {
			plain.From[v], plain.To[v] = float64(r.IntN(6)), float64(r.IntN(6)*r.IntN(9))
			plain.vertices, plain.Sources = append(plain.vertices, uint32(v)), append(plain.Sources, uint32(v))
		}
		want := traverse(t, &plain)
		b := plain
		b.Offsets, b.Targets = slices.Clone(b.Offsets), slices.Clone(b.Targets)
		b.From, b.To = slices.Clone(b.From), slices.Clone(b.To)
		b.merge(slowTwins(&plain))
		merged += n - b.Vertices()
		b.Sources = b.Sources[:b.Vertices()]
		got := make([]float64, n)
		b.Each([]engine.Batch{{Count: len(b.Sources)}}, traverse(t, &b), func(v uint32, x float64) { got[v] += x })
		compare(t, got, want)
	}
	if merged < 1000/testgraphs.OneIn {
		t.Errorf("%d twins merged: too few to mean anything", merged)
	}
}

// Weights whose squares exceed float64's exact range must not lose the pairs.
func TestTwinsOfVeryDifferentWeight(t *testing.T) {
	// Vertices 0 and 1 are false twins between 2, 3 and 4; 4 has more neighbours.
	b := Block{Graph: *graphOf(6, []edge{{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {4, 5}, {5, 2}})}
	b.setMass([]float64{1 << 30, 1, 1, 1, 1, 1})
	b.vertices = []uint32{0, 1, 2, 3, 4, 5}
	b.merge(slowTwins(&b))
	if want := float64(2 << 30); b.within[0] != want {
		t.Errorf("%v ordered pairs within the class, want %v", b.within[0], want)
	}
}

// Directed graphs with copied vertices, arcs included: scores are the textbook's, for any
// ends, also when read from a file.
func TestDirectedTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 9))
	merged, virtual := 0, 0
	for i := range 3000 / testgraphs.OneIn {
		n, arcs := randomArcs(r, 12)
		first := []uint32{0} // copy of each vertex, and the end
		for range n {
			first = append(first, first[len(first)-1]+1+uint32(r.IntN(3)*r.IntN(2)))
		}
		var copied []edge
		for _, e := range arcs {
			for u := first[e[0]]; u < first[e[0]+1]; u++ {
				for v := first[e[1]]; v < first[e[1]+1]; v++ {
					copied = append(copied, edge{u, v})
				}
			}
		}
		all := int(first[n])
		for range r.IntN(4) {
			copied = append(copied, edge{uint32(r.IntN(all)), uint32(r.IntN(all))})
		}
		g := digraphOf(all, copied)
		opts := directed()
		sources, targets := everyVertex(g), everyVertex(g)
		if i%3 == 0 {
			sources, targets = someOf(r, all), someOf(r, all)
			opts = ends(sources, targets)
			opts.Question.Directed = true
		}
		opts.Lanes, opts.Threads = r.IntN(5), 1+r.IntN(3)
		if r.IntN(3) == 0 {
			opts.Off = anyOff(r)
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { compare(t, scoresOf(t, g, opts), enumerated(g, sources, targets, anyLength)) })
		p := prepare(t, g, numbered(all), opts)
		merged += p.Twins
		for i := range p.Blocks {
			if p.Blocks[i].classes != nil {
				virtual += p.Blocks[i].virtual()
			}
		}
		if len(p.Blocks) == 0 {
			continue
		}
		if read, err := open(t, fileOf(t, p)); err != nil || !reflect.DeepEqual(read.Plan.Blocks, p.Plan.Blocks) {
			t.Fatalf("%v: read %+v, written %+v", err, read.Plan.Blocks, p.Plan.Blocks)
		}
	}
	if merged < 2000/testgraphs.OneIn || virtual < 500/testgraphs.OneIn {
		t.Errorf("%d twins and %d virtual sources beside them: too few to tell", merged, virtual)
	}
}
