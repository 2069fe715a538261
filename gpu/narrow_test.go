package gpu

import (
	"fmt"
	"slices"
	"testing"

	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/survey"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// doubling is a chain with 2^count shortest paths from end to end. A survey sees about the
// square root of that, as its sources are in the middle. Each link is two ways to go: two
// vertices, or one for two twins.
func doubling(count uint32, twins bool) *preprocess.Block {
	var edges []testgraphs.Edge
	last := uint32(0)
	times := []float64{1}
	for range count {
		first, n := last, uint32(len(times))
		if twins {
			last = n + 1
			times = append(times, 2, 1)
			edges = append(edges, testgraphs.Edge{first, n}, testgraphs.Edge{n, last})
			continue
		}
		last = n + 2
		times = append(times, 1, 1, 1)
		edges = append(edges, testgraphs.Edge{first, n}, testgraphs.Edge{first, n + 1}, testgraphs.Edge{n, last}, testgraphs.Edge{n + 1, last})
	}
	b := testblocks.Of(len(times), edges, 32)
	if twins {
		b.Multiplicity = times
	}
	middle := uint32(len(times) / 2)
	for i := range survey.Sources {
		at := slices.Index(b.Sources, middle+uint32(i))
		to := i * len(b.Sources) / survey.Sources
		b.Sources[at], b.Sources[to] = b.Sources[to], b.Sources[at]
	}
	return b
}

// wideCounts runs plans whose largest path count is below 2^32, or exactly 2^32, which 32
// bits take for 0, or above. It checks which of them were searched with 32 bits to the
// end.
func wideCounts(t *testing.T, open func(Options) *session) {
	for _, twins := range []bool{false, true} {
		for count, narrow := range map[uint32]bool{31: true, 32: false, 33: false} {
			plan := testblocks.Plan(doubling(count, twins))
			s := open(Options{Strategy: methods.Levels, MinBlock: 1, Lanes: 32, Packs: 2})
			e := engineOf(t, s, plan).(*runner)
			what := fmt.Sprintf("2^%d paths, twins %v", count, twins)
			if !e.blocks[0].now().Narrow {
				t.Errorf("%s: counts do not begin with 32 bits", what)
			}
			o := newOutcome(plan)
			if err := e.Run(t.Context(), taker(plan), o.add); err != nil {
				t.Fatal(err)
			}
			compare(t, what, o, reference(t, plan), 1e-12)
			if e.blocks[0].now().Narrow != narrow {
				t.Errorf("%s: counts end with 32 bits: %v", what, !narrow)
			}
		}
	}
}

func TestCountsThatPass32Bits(t *testing.T) {
	wideCounts(t, func(o Options) *session { return simulate(t, o) })
}

// The survey's largest count decides how counts begin; float32 has counts of its own.
func TestNarrowCounts(t *testing.T) {
	for _, c := range []struct {
		block     *preprocess.Block
		precision engine.Precision
		narrow    bool
	}{
		{layered(9, 32), engine.Float64, true},
		{layered(12, 32), engine.Float64, false},
		{layered(9, 32), engine.Float32, false},
	} {
		plan := testblocks.Plan(c.block)
		s := simulate(t, Options{Precision: c.precision, Strategy: methods.Levels, MinBlock: 1})
		if now := engineOf(t, s, plan).(*runner).blocks[0].now(); now.Narrow != c.narrow || (now.Sizes()["Counts"] > 0) != c.narrow {
			t.Errorf("%d vertices, %s: counts of 32 bits: %v", c.block.Vertices(), c.precision, now.Narrow)
		}
		compare(t, "layers", runAll(t, s, plan), reference(t, plan), tolerance(c.precision))
	}
}
