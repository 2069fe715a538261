package preprocess

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/testgraphs"
)

// With twins of both kinds and any masses, scores of edges are the definition's, for any ends
// and cutoffs.
func TestEdgesOfTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 2))
	merged, inner, apart := 0, 0, 0
	rounds := 3000 / testgraphs.OneIn
	for i := range rounds {
		g := twinGraph(r)
		sources, targets, asked := anyEnds(r, g, 3)
		cutoff := anyLength
		if r.IntN(3) == 0 {
			cutoff = r.IntN(5)
			asked.Question.Cutoff = strconv.Itoa(cutoff)
		}
		asked.Threads, asked.Lanes = 1+r.IntN(3), r.IntN(engine.MaxLanes+1)
		if r.IntN(4) == 0 {
			asked.Off = anyOff(r)
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := enumeratedEdges(g, sources, targets, cutoff)
			got, p := edgeScoresOf(t, g, asked)
			for i, x := range got {
				u, v := p.EdgeEnds[0][i], p.EdgeEnds[1][i]
				if sum := (want[edge{u, v}] + want[edge{v, u}]) / 2; !near(x, sum) {
					t.Fatalf("edge %d-%d: %g, want %g", u, v, x, sum)
				}
			}
			plain := asked
			asked.Question.Edges = true
			compare(t, scoresOf(t, g, asked), scoresOf(t, g, plain))
			merged += p.Twins
			for i := range p.Blocks {
				b := &p.Blocks[i]
				for x, pairs := range b.within {
					inner += int(pairs)
					if len(b.members(uint32(x))) > 1 && b.To[x] > b.Multiplicity[x] {
						apart++ // members with something hanging on them
					}
				}
			}
		})
	}
	if merged < 3*rounds || inner < rounds || apart < rounds/50 {
		t.Errorf("%d twins, %d pairs between false ones, %d heavy classes: too few for a test", merged, inner, apart)
	}
}

// Twins of different masses have classes of their own, because the flows over their edges
// differ.
func TestEdgesKeepUnequalTwinsApart(t *testing.T) {
	// 0, 1, 2 and 3 have 4 to 6 for neighbours, which are a path; 7 hangs on 3.
	g := graphOf(8, slices.Concat([]edge{{3, 7}}, testgraphs.Path(4, 6), product([]uint32{0, 1, 2, 3}, []uint32{4, 5, 6})))
	_, p := edgeScoresOf(t, g, Options{})
	b := &p.Blocks[0]
	if p.Twins != 2+1 { // 0 to 2, and 4 and 6
		t.Fatalf("%d twins", p.Twins)
	}
	if f := b.Flows; f.Count() != len(b.Targets)/2 || len(f.Edges) != 12+2 {
		t.Errorf("%d numbers of %d edges for %d arcs", f.Count(), len(f.Edges), len(b.Targets))
	}
}

// product joins all of the first to all of the second.
func product(first, second []uint32) (edges []edge) {
	for _, u := range first {
		for _, v := range second {
			edges = append(edges, edge{u, v})
		}
	}
	return edges
}
