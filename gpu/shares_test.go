package gpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/gpu/internal/methods"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// sharesOf is a question about shares by distance.
func sharesOf(share string, spread bool) (q question.Question) {
	q.Decay.Share = share
	if spread {
		q.Gravity = question.Gravity{Constrained: question.ConstrainedOrigins, Stay: 2}
	}
	return q
}

// decaying gives the blocks of a plan shares by distance, and asks for more than scores of some.
func decaying(t testing.TB, share string, spread bool, plan *preprocess.Plan) *preprocess.Plan {
	r := rand.New(rand.NewPCG(3, 2))
	long := testblocks.Reduced(t, testgraphs.Ring(0, 1<<12), preprocess.Options{Question: sharesOf(share, spread)})
	for i := range plan.Blocks {
		b := &plan.Blocks[i]
		b.Decay, b.Waived = long.Blocks[0].Decay, nil
		if most := long.Blocks[0].Cutoff; most > 0 && (b.Cutoff == 0 || b.Cutoff > most) {
			b.Cutoff = most // where shares end
		}
		b.Sees, b.Access = i%2 == 0, i%3 == 0 && b.Multiplicity == nil
		if i%4 == 0 {
			b.Hung = make([]bool, b.Vertices())
			for v := range b.Hung {
				b.Hung[v] = r.IntN(3) == 0
			}
		}
	}
	return plan
}

// measuredBy has blocks with lengths of some multiples of a unit.
func measuredBy(unit int64) *preprocess.Plan {
	r := rand.New(rand.NewPCG(7, 3))
	return testblocks.Plan(
		long(r, grid(9, 23, 50), 3*unit),
		long(r, weigh(r, random(r, 170, 40, 2, 64), true), 20*unit),
		long(r, weigh(r, arcs(r, 190, 700, 64), true), 5*unit),
		long(r, someSources(weigh(r, chase(90, 40), false)), 4*unit),
		within(long(r, weigh(r, arcs(r, 120, 400, 33), false), 1<<40), 1<<20),
		within(long(r, grid(9, 14, 50), 6*unit), int(20*unit)),
	)
}

// Shares by distance, and masses that sources see, reach and send, are the textbook's. Strategies without kernels for
// these leave their blocks to frontier.
func TestSharesTwins(t *testing.T) {
	for i, share := range []string{"exp:0.00001", "power:1", "table:1=1,4=0.25,9=0.125"} {
		o := Options{Lanes: 32 << (i % 2), WorkGroup: []int{32, 96, 256}[i], MinBlock: 1, Packs: 3 * (i % 2), Mdeg: 40}
		checkShares(t, simulate(t, o), share, i > 1)
	}
}

func checkShares(t *testing.T, s *session, share string, spread bool) {
	t.Helper()
	plans := []*preprocess.Plan{decaying(t, share, spread, sample())}
	switch share {
	case "power:1":
		plans = append(plans, decaying(t, share, spread, measuredBy(1)))
	case "exp:0.00001": // more distances than a table has
		plans = append(plans, decaying(t, share, spread, measuredBy(1<<13)))
	}
	for i, plan := range plans {
		want := reference(t, plan)
		for _, s.options.Strategy = range methods.Strategies()[1:] {
			solos := 0
			for _, choice := range engineOf(t, s, plan).Choices() {
				if choice.Strategy == string(methods.Solo) {
					solos++
				}
				if name := choice.Strategy; choice.Declined != "" || name == string(methods.Ragged) {
					t.Errorf("block %d: strategy %s, declined: %q", choice.Block, name, choice.Declined)
				}
			}
			if share == "power:1" && !spread && i == 0 && (solos > 0) != (s.options.Strategy == methods.Solo) {
				t.Errorf("strategy %s: solo searches %d blocks", s.options.Strategy, solos)
			}
			if s.options.Strategy != methods.Ragged {
				compare(t, fmt.Sprint(s.options.Strategy, " ", share, spread, i), runAll(t, s, plan), want, 1e-12)
			}
		}
	}
	s.options.Strategy = methods.Auto
}

// The same for reduced graphs, with twins and trees that send and see parts of masses.
func TestSharesOfGraphs(t *testing.T) {
	for i := range 30 {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		n := 20 + r.IntN(60)
		edges := testgraphs.Random(r, n, n, r.IntN(2*n))
		for range r.IntN(20) { // members of classes, and leaves
			edges = append(edges, testgraphs.Edge{uint32(n), uint32(r.IntN(n))}, testgraphs.Edge{uint32(n + 1), edges[len(edges)-1][1]})
			n += 2
		}
		o := preprocess.Options{Question: sharesOf([]string{"exp:0.3", "power:2"}[i%2], r.IntN(3) > 0)}
		if o.Question.Directed = r.IntN(3) == 0; r.IntN(2) == 0 {
			o.Question.Origins.Column, o.Question.Destinations.Column = "o", "d"
			o.Origins, o.Destinations = make([]int64, n), make([]int64, n)
			for v := range o.Origins {
				o.Origins[v], o.Destinations[v] = r.Int64N(4), r.Int64N(4)
				o.Question.Origins.Total += o.Origins[v]
				o.Question.Destinations.Total += o.Destinations[v]
			}
		}
		plan := testblocks.Reduced(t, edges, o)
		want := reference(t, plan)
		s := simulate(t, Options{MinBlock: 1, Packs: r.IntN(4), Mdeg: r.IntN(20), Lanes: 32 << r.IntN(2)})
		for _, s.options.Strategy = range []Strategy{methods.Levels, methods.Frontier} {
			compare(t, fmt.Sprint("graph ", i, " ", s.options.Strategy), runAll(t, s, plan), want, 1e-12)
		}
	}
}

// Drawn sources of such blocks have the sums that cores find.
func TestDrawnSharesTwins(t *testing.T) {
	s := simulate(t, Options{MinBlock: 1, Packs: 3, Mdeg: 40})
	for _, spread := range []bool{false, true} {
		checkDrawn(t, s, decaying(t, "power:1", spread, drawable()), false)
	}
}

// A count of paths by which no share can be divided fails the self-check.
func TestSharesOfTooManyPaths(t *testing.T) {
	plan := decaying(t, "power:1", false, testblocks.Plan(grid(2, 30, 8)))
	plan.Blocks[0].Sees, plan.Blocks[0].Access, plan.Blocks[0].Hung = false, false, nil
	plan.Blocks[0].Multiplicity = slices.Repeat([]float64{1e6}, 60)
	s := simulate(t, Options{MinBlock: 1})
	for _, s.options.Strategy = range []Strategy{methods.Levels, methods.Solo, methods.Frontier} {
		o := runAll(t, s, plan)
		if i := slices.IndexFunc(o.got[0], func(x float64) bool { return x != x }); i < 0 {
			t.Errorf("%s: more than 1e150 paths pass the self-check", s.options.Strategy)
		}
	}
}

// Blocks whose shares have no table stay on cores, by name.
func TestSharesThatStayOnCores(t *testing.T) {
	for share, far := range map[string]string{"power:1": "shares at more than 4194304 distances", "exp:0.00001": ""} {
		plan := decaying(t, share, true, testblocks.Plan(grid(9, 9, 9), long(rand.New(rand.NewPCG(1, 1)), grid(9, 9, 9), 1<<20)))
		for i, want := range []string{"", far} {
			if _, got := Leaves(&plan.Blocks[i]); got != want {
				t.Errorf("%s, block %d: devices leave %q, want %q", share, i, got, want)
			}
		}
	}
}
