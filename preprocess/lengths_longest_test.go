package preprocess

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// The largest possible lengths give the same scores as lengths that are smaller by a constant
// factor, for vertices and edges, whatever reductions are on.
func TestLongestLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(131, 32))
	for i := range 3000 / testgraphs.OneIn {
		g := anyGraph(r, i)
		if g.Edges() == 0 {
			continue
		}
		withLengths(r, g, []int64{1, 2, 3, 10}[i%4])
		times := (1<<csr.LongestPath - 1024) / int64(g.Vertices()-1) / slices.Max(g.Lengths)
		long := timesAsLong(g, times)
		if g.In != nil {
			long.In = timesAsLong(g.In, times)
		}
		_, _, opts := anyEnds(r, g, 3)
		opts.Question.Directed, opts.Question.Lengths, opts.Off = g.In != nil, byWeight().Lengths, anyOff(r)
		compare(t, scoresOf(t, long, opts), scoresOf(t, g, opts))
		if i%3 > 0 {
			continue
		}
		want, _ := edgeScoresOf(t, g, opts)
		got, _ := edgeScoresOf(t, long, opts)
		compare(t, got, want)
	}
}

func timesAsLong(g *csr.Graph, times int64) *csr.Graph {
	long := *g
	long.Lengths = slices.Clone(g.Lengths)
	for e := range long.Lengths {
		long.Lengths[e] *= times
	}
	return &long
}
