package gpu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/survey"
	"bcstage/internal/cpu/textbook"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// chained is a plan of blocks with chains.
func chained(t testing.TB, lanes int, blocks ...*preprocess.Block) *preprocess.Plan {
	t.Helper()
	for _, b := range blocks {
		var err error
		if b.Chains, err = csr.FindChains(t.Context(), &b.Graph); err != nil || b.Chains == nil {
			t.Fatal("no chains", err)
		}
		b.Sources, b.Lanes, b.Farness = b.Chains.Sources(), lanes, nil
	}
	return testblocks.Plan(blocks...)
}

// theta is four chains of different lengths between two junctions, of which two tie.
func theta() []testgraphs.Edge {
	return []testgraphs.Edge{{0, 1}, {0, 2}, {2, 1}, {0, 3}, {3, 4}, {4, 5}, {5, 1}, {0, 6}, {6, 7}, {7, 8}, {8, 1}}
}

// roads has blocks of chains of many lengths, even and odd: chains that tie, that are the
// long way round, and that share both ends with others. Vertices have masses, some none.
func roads(t testing.TB, lanes int) *preprocess.Plan {
	r := rand.New(rand.NewPCG(11, 5))
	cut := func(edges []testgraphs.Edge) *preprocess.Block {
		n := uint32(0)
		for _, e := range edges {
			n = max(n, e[0]+1, e[1]+1)
		}
		b := testblocks.Of(int(n), edges, lanes)
		testblocks.TwoMasses(r, b)
		for v := range b.From {
			b.From[v] = float64(r.IntN(5) * r.IntN(5))
		}
		return b
	}
	return chained(t, lanes,
		cut(testgraphs.CutGrid(r, 300, 2)), cut(testgraphs.CutCubic(r, 250, 3)), cut(testgraphs.CutCubic(r, 200, 0.5)),
		cut(testgraphs.CutGrid(r, 200, 9)), cut(theta()),
		grid(5, 6, lanes),
	)
}

// scored sums a plan's scores by block, and notes whether every batch came once and
// passed its check.
type scored struct {
	plan   *preprocess.Plan
	scores [][]float64
	times  []int
	worst  float64
}

func newScored(p *preprocess.Plan) *scored {
	s := &scored{plan: p, times: make([]int, len(p.Batches))}
	for i := range p.Blocks {
		s.scores = append(s.scores, make([]float64, p.Blocks[i].Vertices()))
	}
	return s
}

func (s *scored) add(r engine.Result) error {
	if !r.Together || len(r.Got) != 1 || len(r.Want) != 1 {
		return fmt.Errorf("batch %d: sums %v, %v", r.Batch.Index, r.Got, r.Want)
	}
	if difference := math.Abs(r.Got[0]-r.Want[0]) / max(r.Want[0], 1); !(difference <= 1e-12) {
		return fmt.Errorf("batch %d: sums %v, %v are apart by %g", r.Batch.Index, r.Got, r.Want, difference)
	}
	for v, x := range r.Scores {
		s.scores[r.Batch.Block][v] += x
	}
	for i := range r.More + 1 {
		s.times[r.Batch.Index+i]++
	}
	return nil
}

func (s *scored) came() []int { return s.times }

func (s *scored) right(t *testing.T, what string) {
	t.Helper()
	s.compare(t, what, textbookScores(t, s.plan))
}

// compare fails unless every batch came once, and the scores are these.
func (s *scored) compare(t testing.TB, what string, want [][]float64) {
	t.Helper()
	for i, times := range s.times {
		if times != 1 {
			t.Fatalf("%s: batch %d came %d times", what, i, times)
		}
	}
	for i := range want {
		for v, x := range want[i] {
			if math.Abs(s.scores[i][v]-x) > 1e-11*max(x, 1) {
				t.Fatalf("%s: block %d, vertex %d: %v, want %v", what, i, v, s.scores[i][v], x)
			}
		}
	}
}

// textbookScores are the scores of the reference engine.
func textbookScores(t testing.TB, p *preprocess.Plan) (all [][]float64) {
	t.Helper()
	for i := range p.Blocks {
		b := &p.Blocks[i]
		scores := make([]float64, b.Vertices())
		if err := textbook.Scores(t.Context(), b, b.Sources, scores, make([]float64, len(b.Sources)), make([]float64, len(b.Sources))); err != nil {
			t.Fatal(err)
		}
		all = append(all, scores)
	}
	return all
}

func checkChains(t testing.TB, what string, s *session, p *preprocess.Plan, want [][]float64) *scored {
	t.Helper()
	got := newScored(p)
	if err := engineOf(t, s, p).Run(context.Background(), taker(p), got.add); err != nil {
		t.Fatal(what, err)
	}
	got.compare(t, what, want)
	return got
}

func TestChainTwins(t *testing.T) {
	for _, lanes := range []int{1, 7, 64, 512} {
		plan := roads(t, lanes)
		want := textbookScores(t, plan)
		for _, o := range []Options{{}, {WorkGroup: 32, Packs: 1, Streams: 1}, {Packs: 3}} {
			o.MinBlock = 1
			checkChains(t, fmt.Sprintf("%d lanes, %+v", lanes, o), simulate(t, o), plan, want)
		}
	}
}

// Random cubic graphs and grids, cut into chains, in random batches and waves.
func FuzzChains(f *testing.F) {
	f.Add(uint64(1), uint16(60), uint8(10), uint16(64))
	f.Add(uint64(2), uint16(200), uint8(40), uint16(5))
	f.Add(uint64(3), uint16(30), uint8(0), uint16(512))
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, inside uint8, lanes uint16) {
		r := rand.New(rand.NewPCG(seed, 1))
		cut := testgraphs.CutCubic
		if seed%2 == 0 {
			cut = testgraphs.CutGrid
		}
		reduced := testblocks.Reduced(t, cut(r, float64(20+n%300), float64(inside%64)/8), preprocess.Options{Off: []string{"chains", "twins"}})
		if len(reduced.Blocks) == 0 {
			t.Skip("nothing to search")
		}
		b := &reduced.Blocks[0]
		if seed%3 > 0 {
			testblocks.TwoMasses(r, b)
			for v := range b.From {
				b.From[v] = float64(r.IntN(4) * r.IntN(9))
			}
		}
		plan := chained(t, 1+int(lanes)%600, b)
		s := simulate(t, Options{MinBlock: 1, Packs: r.IntN(4), Streams: 1 + r.IntN(2)})
		checkChains(t, "random", s, plan, textbookScores(t, plan))
	})
}

// Cores take a block of too few junctions, and one where memory holds too few of them.
func TestFewJunctions(t *testing.T) {
	plan := roads(t, 64)
	for memory, want := range map[int64]string{1 << 30: "", 100_000: "out of device memory"} {
		d := simulatedDevice()
		d.Memory = memory
		e := engineFor(t, d, Options{MinBlock: 1}, plan)
		if c := e.Choices()[0]; c.Strategy != string(methods.Chains) || !strings.Contains(c.Declined, want) || e.Accepts(0) != (want == "") {
			t.Errorf("%d bytes: %+v", memory, c)
		}
	}
	d := simulatedDevice()
	d.ComputeUnits = 40
	e := engineFor(t, d, Options{MinBlock: 100}, plan)
	for block, accepts := range []bool{true, false, true, false, false, false} { // of 60, 35, 81 and 12 junctions; of few vertices
		if e.Accepts(block) != accepts {
			t.Errorf("block %d: accepts %v", block, !accepts)
		}
	}
	if declined := e.Choices()[1].Declined; !strings.Contains(declined, "35 junctions are searched from at once, for 40 compute units") {
		t.Errorf("declined for %q", declined)
	}
}

// Batches of few sources share a pack, whose memory is planned for the roots of all.
func TestRootsOfSmallBatches(t *testing.T) {
	small, whole := survey.ChainSizesOf(&roads(t, 5).Blocks[0]), survey.ChainSizesOf(&roads(t, 32).Blocks[0])
	if small.Roots != whole.Roots || small.Roots == 0 {
		t.Errorf("%d roots in packs of batches of 5, %d of 32", small.Roots, whole.Roots)
	}
}
