package pairs

import (
	"math/rand/v2"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

func uneven(r *rand.Rand, b *preprocess.Block) *preprocess.Block {
	testblocks.TwoMasses(r, b)
	for v := range b.From {
		b.From[v] = float64(1 + r.IntN(3)*r.IntN(4))
	}
	return b
}

// small returns graphs whose paths can be listed.
func small() map[string]*preprocess.Block {
	r := rand.New(rand.NewPCG(1, 9))
	blocks := map[string]*preprocess.Block{
		"grid":         testblocks.Of(12, testgraphs.Grid(3, 4), 64),
		"diamonds":     testblocks.Of(10, testgraphs.Diamonds(3), 64),
		"layers":       testblocks.Of(9, testgraphs.Layers(3, 3), 64),
		"not joined":   testblocks.Of(9, testgraphs.Join(testgraphs.Ring(0, 5), testgraphs.Path(5, 8)), 64),
		"random":       uneven(r, testblocks.Of(10, testgraphs.Random(r, 10, 10, 9), 64)),
		"directed":     uneven(r, testblocks.Directed(8, testgraphs.Random(r, 8, 3, 20), 64)),
		"pair":         testblocks.Of(2, testgraphs.Path(0, 1), 64),
		"alone":        testblocks.Of(1, nil, 64),
		"wheel":        testblocks.Of(8, testgraphs.Hubs(2, 6), 64),
		"multiplicity": testblocks.Of(15, testgraphs.Grid(3, 5), 64),
		"two stars":    testblocks.Of(80, stars(39), 64), // the centres are searched for in each other's rows
		"cutoff":       testblocks.Of(12, testgraphs.Grid(3, 4), 64),
		"waived":       uneven(r, testblocks.Directed(8, testgraphs.Random(r, 8, 3, 20), 64)),
	}
	for name, like := range map[string]string{"trips": "random", "directed trips": "directed"} {
		blocks[name] = withTrips(rand.New(rand.NewPCG(5, uint64(len(name)))), blocks[like])
	}
	blocks["hubs"] = hubs(r, 3, 60, 2) // where guess finds an arc
	blocks["cutoff"].Cutoff = 3
	w := blocks["waived"]
	for v := range uint32(8) {
		if u := (v + 3) % 8; v%3 > 0 && w.To[u] > 0 {
			w.Waive(v, u, w.To[u]*(0.3+0.1*float64(v)))
		}
	}
	m := blocks["multiplicity"]
	for range m.From {
		m.Multiplicity = append(m.Multiplicity, float64(1+r.IntN(3)))
	}
	for name, most := range map[string]int64{"grid": 2, "layers": 1, "not joined": 4, "random": 3, "directed": 3, "multiplicity": 2, "wheel": 5, "waived": 2, "trips": 3, "directed trips": 2} {
		blocks[name+", lengths"] = withLengths(rand.New(rand.NewPCG(3, uint64(len(name)))), blocks[name], most) // maps have no order
	}
	near := withLengths(r, blocks["grid"], 3)
	near.Cutoff = 5
	blocks["cutoff, lengths"] = near
	return blocks
}

// withTrips returns a copy with trips between some pairs of vertices instead of masses.
func withTrips(r *rand.Rand, plain *preprocess.Block) *preprocess.Block {
	b := *plain
	n := b.Vertices()
	b.From, b.To = make([]float64, n), make([]float64, n)
	for source := range uint32(n) {
		for target := range uint32(n) {
			if source != target && r.IntN(3) == 0 {
				b.From[source] = 1
				b.Waive(source, target, -float64(1+r.IntN(4)*r.IntN(30)))
			}
		}
	}
	return &b
}

// withLengths returns a copy whose arcs have lengths of 1 to most, the same both ways unless
// directed.
func withLengths(r *rand.Rand, plain *preprocess.Block, most int64) *preprocess.Block {
	b := *plain
	lengths := map[testgraphs.Edge]int64{}
	of := func(u, v uint32) int64 {
		e := testgraphs.Edge{u, v}
		if b.In == nil {
			e = testgraphs.Edge{min(u, v), max(u, v)}
		}
		if lengths[e] == 0 {
			lengths[e] = 1 + r.Int64N(most)
		}
		return lengths[e]
	}
	b.Lengths = []int64{}
	for v := range uint32(b.Vertices()) {
		for _, u := range b.Neighbours(v) {
			b.Lengths = append(b.Lengths, of(v, u))
		}
	}
	if b.In != nil {
		in := *b.In
		in.Lengths = nil
		for v := range uint32(b.Vertices()) {
			for _, u := range in.Neighbours(v) {
				in.Lengths = append(in.Lengths, of(u, v))
			}
		}
		b.In = &in
	}
	return &b
}

// stars are two stars with that many leaves, whose centres 0 and 1 are joined.
func stars(leaves uint32) []testgraphs.Edge {
	edges := []testgraphs.Edge{{0, 1}}
	for v := range 2 * leaves {
		edges = append(edges, testgraphs.Edge{v % 2, 2 + v})
	}
	return edges
}

func order(edges []testgraphs.Edge) int {
	n := uint32(0)
	for _, e := range edges {
		n = max(n, e[0]+1, e[1]+1)
	}
	return int(n)
}
