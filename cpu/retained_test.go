package cpu

import (
	"context"
	"math/rand/v2"
	"testing"

	"bcstage/cpu/internal/acyclic"
	"bcstage/cpu/internal/alone"
	"bcstage/cpu/internal/balls"
	"bcstage/cpu/internal/chains"
	"bcstage/cpu/internal/dial"
	"bcstage/cpu/internal/distances"
	"bcstage/cpu/internal/lanes"
	"bcstage/cpu/internal/lengths"
	"bcstage/cpu/internal/meshes"
	"bcstage/cpu/internal/roads"
	"bcstage/cpu/internal/streets"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// A search does not change later ones, of the same block or another, even if its context ended it at any look.
func TestNothingIsRetained(t *testing.T) {
	set := lanes.Sets()[0]
	for name, kind := range map[string]struct {
		fresh func() lanes.Search
		block func(blockDrawer) *preprocess.Block
	}{
		"by lanes":              {func() lanes.Search { return lanes.NewRows(set, false) }, blockDrawer.any},
		"by entries":            {func() lanes.Search { return batchRunner{workerByEntries(set)} }, blockDrawer.full},
		"by lines":              {func() lanes.Search { return lanes.NewLines(set) }, blockDrawer.withoutFlows},
		"meshes":                {func() lanes.Search { return meshes.New(lanes.Sets()[0].Name) }, blockDrawer.mesh},
		"drawn":                 {func() lanes.Search { return meshes.NewDrawn(false) }, blockDrawer.drawn},
		"lengths":               {func() lanes.Search { return lengths.New(false) }, blockDrawer.withLengths},
		"acyclic":               {func() lanes.Search { return acyclic.New("avx512") }, blockDrawer.acyclic},
		"acyclic distances":     {func() lanes.Search { return acyclicReach{acyclic.New("avx512")} }, blockDrawer.acyclicReach},
		"chains":                {func() lanes.Search { return new(chains.Search) }, blockDrawer.chained},
		"streets":               {func() lanes.Search { return new(chains.Search) }, blockDrawer.streets},
		"distances":             {func() lanes.Search { return distances.New(false) }, blockDrawer.distances},
		"distances of meshes":   {func() lanes.Search { return meshes.NewDistances(false) }, blockDrawer.ofMesh},
		"alone":                 {func() lanes.Search { return new(alone.Search) }, blockDrawer.near},
		"alone by lengths":      {func() lanes.Search { return dial.New("avx512") }, blockDrawer.someLengths},
		"near streets":          {func() lanes.Search { return streets.New(false) }, blockDrawer.nearStreets},
		"balls":                 {func() lanes.Search { return balls.New(newPartWorker(core{set: set}).search) }, blockDrawer.ball},
		"distances along roads": {func() lanes.Search { return roads.New(false) }, blockDrawer.roads},
	} {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(23, 11))
			draw := blockDrawer{t, r}
			testblocks.NothingRetained(t, r, max(30/testgraphs.OneIn, 3), kind.fresh, func() *preprocess.Block { return kind.block(draw) })
		})
	}
}

// workerByEntries makes a worker that searches blocks by entries, and by rows if they do not fit.
func workerByEntries(set lanes.Set) *Worker {
	c := Options{}.chooser()
	c.core.set = set
	entries, _ := c.named("entries")
	rows, _ := c.named("rows")
	kinds := []engine.Kind{engine.KindHops}
	c.walks = []walk{
		{name: entries.name, kinds: kinds, unfit: entries.unfit, aside: entries.aside, new: entries.new},
		{name: rows.name, kinds: kinds, new: rows.new},
	}
	return &Worker{chooser: c, runners: make(map[made]lanes.Search)}
}

// batchRunner computes single batches by a worker.
type batchRunner struct{ *Worker }

func (r batchRunner) Run(ctx context.Context, b *preprocess.Block, batch engine.Batch) (engine.Result, error) {
	return r.search(ctx, b, batch)
}

// blockDrawer draws blocks that a search may be asked for.
type blockDrawer struct {
	*testing.T
	*rand.Rand
}

// plain draws an undirected or directed block with whole masses.
func (r blockDrawer) plain(directed bool) *preprocess.Block {
	n, width := 2+r.IntN(150), []int{1, 7, 8, 40, lanes.MaxLanes}[r.IntN(5)]
	b := testblocks.Random(r.Rand, n, r.IntN(3*n), width)
	if directed {
		b = testblocks.RandomDirected(r.Rand, n, r.IntN(6*n), width)
	}
	b.Entries, b.Farness = 12*n, make([]uint16, n)
	for v := range n {
		b.To[v], b.Farness[v] = float64(r.IntN(50)), uint16(r.IntN(6))
	}
	if r.IntN(3) == 0 {
		testblocks.Multiply(r.Rand, b)
	}
	return b
}

func (r blockDrawer) any() *preprocess.Block {
	b := r.plain(r.IntN(2) == 0)
	if r.IntN(3) == 0 {
		b.Cutoff = 2 + r.IntN(4)
	}
	switch r.IntN(4) {
	case 0:
		testblocks.Flows(b)
	case 1:
		r.sample(b)
	case 2:
		if b.In != nil {
			testblocks.Waivers(r.Rand, b)
		}
	}
	return b
}

// sample gives the sources of a block draws.
func (r blockDrawer) sample(b *preprocess.Block) *preprocess.Block {
	b.Draws, b.Linear = make([]float64, b.Vertices()), b.Lengths == nil && r.IntN(2) == 0
	for v := range b.Draws {
		b.Draws[v] = float64(r.IntN(4))
	}
	return b
}

func (r blockDrawer) full() *preprocess.Block {
	b := r.any()
	b.Lanes = lanes.MaxLanes
	return b
}

func (r blockDrawer) withoutFlows() *preprocess.Block {
	b := r.any()
	b.Flows = nil
	return b
}

func (r blockDrawer) mesh() *preprocess.Block {
	b := r.plain(r.IntN(2) == 0)
	switch {
	case r.IntN(2) == 0:
		testblocks.Flows(b)
	case b.In != nil:
		testblocks.Waivers(r.Rand, b)
	}
	return b
}

func (r blockDrawer) drawn() *preprocess.Block { return r.sample(r.plain(false)) }

func (r blockDrawer) withLengths() *preprocess.Block {
	b := r.plain(r.IntN(2) == 0)
	testblocks.Lengths(r.Rand, b, []int64{2, 9, 1 << 28, 1 << 33}[r.IntN(4)])
	switch {
	case b.Multiplicity == nil && r.IntN(3) == 0:
		testblocks.Flows(b)
	case r.IntN(3) == 0:
		r.sample(b)
	case r.IntN(3) == 0:
		b.Cutoff = 2 + r.IntN(30)
	}
	return b
}

// someLengths draws a block that the walk alone-lengths suits.
func (r blockDrawer) someLengths() *preprocess.Block {
	for {
		if b := r.withLengths(); suitsAloneLengths(b, core{}) == "" {
			return b
		}
	}
}

// acyclic draws a directed block without cycles, with lengths or without.
func (r blockDrawer) acyclic() *preprocess.Block {
	n := 2 + r.IntN(150)
	b := testblocks.Acyclic(r.Rand, n, r.IntN(6*n), []int{1, 7, 40, lanes.MaxLanes}[r.IntN(4)])
	testblocks.TwoMasses(r.Rand, b)
	if r.IntN(2) == 0 {
		testblocks.ArcLengths(b, func() int64 { return 1 + r.Int64N(9)<<(4*r.IntN(10)) })
	} else if r.IntN(3) == 0 {
		testblocks.Multiply(r.Rand, b)
	}
	switch r.IntN(4) {
	case 0:
		testblocks.Flows(b)
	case 1:
		r.sample(b)
	case 2:
		b.Cutoff = 2 + r.IntN(30)
	}
	return b
}

// acyclicReach draws a block without cycles for distances by lengths, along the arcs or against them.
func (r blockDrawer) acyclicReach() *preprocess.Block {
	n := 2 + r.IntN(150)
	b := testblocks.Acyclic(r.Rand, n, r.IntN(6*n), lanes.MaxLanes)
	testblocks.ArcLengths(b, func() int64 { return 1 + r.Int64N(9)<<(4*r.IntN(9)) })
	b.Distances, b.From, b.To = true, nil, nil
	if r.IntN(2) == 0 {
		there := b.Graph
		b.Graph, there.In = *b.In, nil
		b.In = &there
	}
	b.Own = r.IntN(2) == 0
	return b
}

// reduced returns the first block of a graph's plan.
func (r blockDrawer) reduced(edges []testgraphs.Edge, measures ...string) *preprocess.Block {
	plan := testblocks.Reduced(r, edges, preprocess.Options{Question: question.Question{Measures: measures}, Threads: 1})
	return &plan.Blocks[0]
}

func (r blockDrawer) chained() *preprocess.Block {
	for {
		if b := r.reduced(testgraphs.CutGrid(r.Rand, float64(200+r.IntN(400)), 5)); b.Chains != nil {
			return b
		}
	}
}

func (r blockDrawer) streets() *preprocess.Block {
	b := r.chained()
	testblocks.Lengths(r.Rand, b, 5)
	return b
}

func (r blockDrawer) distances() *preprocess.Block {
	n := 30 + r.IntN(900)
	return r.reduced(testgraphs.Random(r.Rand, n, n, r.IntN(3*n)), measures.Harmonic)
}

func (r blockDrawer) ofMesh() *preprocess.Block {
	return r.reduced(testgraphs.Grid(uint32(10+r.IntN(20)), uint32(10+r.IntN(20))), measures.Harmonic)
}

func (r blockDrawer) roads() *preprocess.Block {
	for {
		if b := r.reduced(testgraphs.CutGrid(r.Rand, float64(1500+r.IntN(900)), 8), measures.Harmonic); b.Roads != nil {
			return b
		}
	}
}

func (r blockDrawer) lengthReach() *preprocess.Block {
	b := r.distances()
	testblocks.Lengths(r.Rand, b, 9)
	return b
}

// ball draws a block of any kind without chains, whose paths have a cutoff.
func (r blockDrawer) near() *preprocess.Block {
	b := r.plain(r.IntN(2) == 0)
	b.Cutoff = 1 + r.IntN(6)
	if r.IntN(3) == 0 {
		testblocks.Flows(b)
	}
	return b
}

// nearStreets draws a block of chains, trees, loops and parallel chains, or of one chain, whose paths have a cutoff.
func (r blockDrawer) nearStreets() *preprocess.Block {
	g := &testgraphs.Streets{N: uint32(1 + r.IntN(12))}
	for v := range g.N - 1 {
		v++
		g.Chain(v, uint32(r.IntN(int(v))), 1+r.IntN(4))
	}
	for range r.IntN(10) {
		g.Chain(uint32(r.IntN(int(g.N))), uint32(r.IntN(int(g.N))), 3+r.IntN(5)) // two vertices inside, at least: no arc is there twice
	}
	for range r.IntN(2) {
		from := g.N
		g.N++
		g.Chain(from, from, 3+r.IntN(9)) // a component of its own
	}
	if g.N == 1 {
		g.N++
		g.Chain(0, 1, 1+r.IntN(4))
	}
	b := testblocks.Of(int(g.N), g.Edges, []int{1, 7, 40, lanes.MaxLanes}[r.IntN(4)])
	testblocks.Lengths(r.Rand, b, []int64{1, 2, 9, 1 << 33}[r.IntN(4)])
	testblocks.TwoMasses(r.Rand, b)
	if r.IntN(3) == 0 {
		testblocks.Multiply(r.Rand, b)
		for v := range b.Multiplicity {
			if r.IntN(3) > 0 {
				b.Multiplicity[v] = 1
			}
		}
	}
	if b.Sources = b.Sources[r.IntN(len(b.Sources)):]; r.IntN(2) == 0 {
		r.Shuffle(len(b.Sources), func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
	}
	b.Cutoff = 1 + r.IntN(20)
	if r.IntN(4) == 0 {
		b.Cutoff *= 1 + r.IntN(1<<r.IntN(20))
	}
	return b
}

func (r blockDrawer) ball() *preprocess.Block {
	var b *preprocess.Block
	switch r.IntN(4) {
	case 0:
		b = r.any()
	case 1:
		b = r.withLengths()
	case 2:
		b = r.acyclic()
	case 3:
		b = r.distances()
		if r.IntN(2) == 0 {
			testblocks.Lengths(r.Rand, b, 9)
		}
		b.Reach, b.Own = nil, r.IntN(2) == 0
		b.Sources = b.Sources[r.IntN(len(b.Sources)):]
	}
	b.Cutoff = 1 + r.IntN(6)
	if b.Lengths != nil {
		b.Cutoff *= 1 + r.IntN(8)
	}
	return b
}
