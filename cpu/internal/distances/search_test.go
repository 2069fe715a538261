package distances

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// planOf returns the plan for the distances in a graph.
func planOf(t testing.TB, vertices int, edges []testgraphs.Edge, lanes int) *preprocess.Plan {
	t.Helper()
	return planWith(t, vertices, edges, preprocess.Options{
		Question: question.Question{Measures: []string{measures.Harmonic}}, Lanes: lanes, Threads: 1,
	})
}

func planWith(t testing.TB, vertices int, edges []testgraphs.Edge, opts preprocess.Options) *preprocess.Plan {
	t.Helper()
	builder := building.NewBuilder(1)
	builder.Directed = opts.Question.Directed
	var src, dst, all building.Keys
	for v := range vertices {
		all.Ints = append(all.Ints, uint64(v))
	}
	for _, e := range edges {
		src.Ints, dst.Ints = append(src.Ints, uint64(e[0])), append(dst.Ints, uint64(e[1]))
	}
	if err := builder.AddVertices(all, nil); err != nil {
		t.Fatal(err)
	}
	if err := builder.AddEdges(src, dst); err != nil {
		t.Fatal(err)
	}
	in, err := builder.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := preprocess.Reduce(t.Context(), &in.Graph, opts)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func checkPlan(t *testing.T, name string, s *Search, plan *preprocess.Plan) {
	t.Helper()
	for _, batch := range plan.Batches {
		b := &plan.Blocks[batch.Block]
		got, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		if want := testblocks.Found(b, batch); !reflect.DeepEqual(got.Found, want) {
			for v := range want {
				if got.Found[v] != want[v] {
					t.Fatalf("%s, %s: batch %+v: vertex %d: %+v, want %+v", name, s.kernels.name, batch, v, got.Found[v], want[v])
				}
			}
		}
		if got.Got[0] != got.Want[0] {
			t.Errorf("%s: batch %+v reaches %v, want %v", name, batch, got.Got[0], got.Want[0])
		}
	}
}

// randomEdges returns count edges, from any of n vertices to one of the first few.
func randomEdges(random *rand.Rand, n, few, count int) (edges []testgraphs.Edge) {
	for range count {
		edges = append(edges, testgraphs.Edge{uint32(random.IntN(n)), uint32(random.IntN(few))})
	}
	return edges
}

func TestSearch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	sets := kernelSets()
	searches := make([]*Search, len(sets))
	for i, k := range sets {
		searches[i] = &Search{kernels: k} // one for all graphs: a graph must not change the next result
	}
	check := func(name string, n int, edges []testgraphs.Edge) {
		for _, lanes := range []int{0, 1, 7} {
			plan := planOf(t, n, edges, lanes)
			for _, s := range searches {
				checkPlan(t, name, s, plan)
			}
		}
	}
	check("grid", 35*40, testgraphs.Grid(35, 40))
	check("path", 700, testgraphs.Grid(1, 700))
	check("star", 1300, testgraphs.Star(0, 1299))
	check("dense", 900, randomEdges(random, 900, 900, 12000))
	check("sparse", 2000, randomEdges(random, 2000, 2000, 1500))
	for i := range 30 {
		n := 2 + random.IntN(600)
		check("random", n, randomEdges(random, n, 1+n/(1+i%3), random.IntN(4*n)+1))
	}
}

// Sources of a block with Own have the sums over the counted vertices.
func TestOwn(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 2))
	var searches []*Search
	for _, k := range kernelSets() {
		searches = append(searches, &Search{kernels: k})
	}
	some := func(n, of int) (list []uint32, set question.Set) {
		for v := range n {
			if random.IntN(of) == 0 {
				list = append(list, uint32(v))
			}
		}
		return list, question.SetOf(func(func([]byte) bool) {})
	}
	own := 0
	check := func(name string, n int, edges []testgraphs.Edge) {
		opts := preprocess.Options{Threads: 1, Lanes: random.IntN(3), Question: question.Question{Measures: []string{measures.Harmonic}}}
		opts.Targets, opts.Question.Targets = some(n, 12+random.IntN(60))
		if random.IntN(2) == 0 {
			opts.Sources, opts.Question.Sources = some(n, 2)
		}
		if random.IntN(3) == 0 {
			opts.Question.Cutoff = "4"
		}
		if opts.Question.Directed = random.IntN(2) == 0; opts.Question.Directed {
			opts.Question.Measures = []string{measures.Harmonic + measures.In, measures.Harmonic + measures.Out}
		}
		plan := planWith(t, n, edges, opts)
		for _, b := range plan.Blocks {
			if b.Own {
				own += len(b.Sources)
			}
		}
		for _, s := range searches {
			checkPlan(t, name, s, plan)
		}
	}
	check("grid", 100*80, testgraphs.Grid(100, 80))
	check("path", 700, testgraphs.Grid(1, 700))
	for i := range 60 {
		n := 2 + random.IntN(2000)
		check("random", n, randomEdges(random, n, 1+n/(1+i%3), random.IntN(4*n)+1))
	}
	if own < 1000 {
		t.Errorf("%d sources had numbers of their own", own)
	}
}

// A tally holds counts of any size, and is 0 after each.
func TestTally(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	var counts tally
	for _, rows := range []int{0, 1, 7, 63, 64, 65, 255, 256, 1000} {
		var want [engine.DistanceLanes]uint64
		for range rows {
			var r row
			for lane := range want {
				if random.IntN(engine.DistanceLanes) <= lane {
					r[lane/64] |= 1 << (lane % 64)
					want[lane]++
				}
			}
			counts.add(&r)
		}
		var got [engine.DistanceLanes]uint64
		counts.each(func(lane int, count uint64) { got[lane] = count })
		if got != want {
			t.Errorf("%d rows: %d, want %d", rows, got, want)
		}
	}
}

// A search that is cancelled at any point returns an error, and the next one is right.
func TestCutShort(t *testing.T) {
	const many = 3*interval + 9
	own := preprocess.Options{Threads: 1, Targets: []uint32{3, 77, many - 1}, Question: question.Question{
		Measures: []string{measures.Harmonic}, Targets: question.SetOf(func(func([]byte) bool) {}),
	}}
	plans := []*preprocess.Plan{planOf(t, 900, testgraphs.Grid(30, 30), 0), planOf(t, 900, testgraphs.Grid(1, 900), 0), planWith(t, many, testgraphs.Star(0, many-1), own)}
	if !plans[2].Blocks[0].Own {
		t.Fatal("sources have no numbers of their own")
	}
	for _, plan := range plans {
		for _, k := range kernelSets() {
			s := &Search{kernels: k}
			for left := 0; ; left++ {
				_, err := s.Run(testending.After(t.Context(), left), &plan.Blocks[0], plan.Batches[0])
				checkPlan(t, "after a cut", s, plan)
				if err == nil {
					break
				}
				if left > 5 && !plan.Blocks[0].Own {
					left += 3 + left/2
				}
			}
		}
	}
}

// The self-check shows a search that misses vertices.
func TestSelfCheck(t *testing.T) {
	plan := planOf(t, 900, testgraphs.Grid(30, 30), 0)
	b := plan.Blocks[0]
	b.Reach = append([]uint32(nil), b.Reach...)
	b.Reach[3]++
	got, err := New(true).Run(t.Context(), &b, plan.Batches[0])
	if err != nil || got.Got[0] == got.Want[0] {
		t.Errorf("%v reached, %v wanted; %v", got.Got, got.Want, err)
	}
}

// Sources that reach few vertices, as those before them did, complete none. So only levels with more edges are pulled.
// The numbers are the same.
func TestFewReached(t *testing.T) {
	const layers, columns = 4, 600
	random := rand.New(rand.NewPCG(17, 4))
	var edges []testgraphs.Edge
	for u := range uint32((layers - 1) * columns) {
		for range 2 {
			edges = append(edges, testgraphs.Edge{u, (u/columns+1)*columns + random.Uint32N(columns)})
		}
	}
	plan := planWith(t, layers*columns, edges, preprocess.Options{
		Question: question.Question{Directed: true, Measures: []string{measures.Harmonic + measures.Out}}, Threads: 1,
	})
	var pulls [2]int // of first searches, and of the same searches again
	for _, batch := range plan.Batches {
		s := New(true)
		pull, found := s.kernels.pull, [2][]engine.Found{}
		for i := range found {
			s.kernels.pull = func(f *frame, list, left, coming, closed []uint32) (kept, fresh int) {
				pulls[i]++
				return pull(f, list, left, coming, closed)
			}
			r, err := s.Run(t.Context(), &plan.Blocks[batch.Block], batch)
			if err != nil {
				t.Fatal(err)
			}
			found[i] = slices.Clone(r.Found)
		}
		if !slices.Equal(found[0], found[1]) {
			t.Error("sources found other numbers when they were searched again")
		}
	}
	if pulls[0] == 0 || pulls[1] >= pulls[0] {
		t.Errorf("pulls: %d, and %d once it is known that sources reach few vertices", pulls[0], pulls[1])
	}
}
