package preprocess

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// exactScores is brandes in fractions, in ordered pairs.
func exactScores(g *csr.Graph) []*big.Rat {
	scores := make([]*big.Rat, g.Vertices())
	for v := range scores {
		scores[v] = new(big.Rat)
	}
	for s := range g.Vertices() {
		order, distance, paths := search(g, uint32(s), nil) // small graphs: path counts are whole numbers
		delta := make([]big.Rat, g.Vertices())
		for _, t := range slices.Backward(order[1:]) {
			share := new(big.Rat).Add(big.NewRat(1, 1), &delta[t])
			share.Quo(share, new(big.Rat).SetFloat64(paths[t]))
			for _, v := range g.Reverse().Neighbours(t) {
				if distance[v]+int(g.Length(v, t)) == distance[t] {
					part := new(big.Rat).SetFloat64(paths[v])
					delta[v].Add(&delta[v], part.Mul(part, share))
				}
			}
			scores[t].Add(scores[t], &delta[t])
		}
	}
	return scores
}

// Closed forms are whole numbers of ordered pairs and must be exact: where no
// block is left they are the scores.
func TestClosedFormsAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	checked := 0
	for checked < 300 {
		g := randomGraph(r)
		p, err := Reduce(context.Background(), g, Options{Off: anyOff(r)})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Blocks) > 0 {
			continue
		}
		checked++
		for v, want := range exactScores(g) {
			if got := new(big.Rat).SetInt64(p.ClosedForm(measures.Betweenness).Low[v]); got.Cmp(want) != 0 {
				t.Fatalf("vertex %d: %s, want %s", v, got, want)
			}
		}
	}
}

func FuzzReduce(f *testing.F) {
	f.Add([]byte{0, 1, 1, 2, 2, 3, 3, 0})
	f.Add([]byte{0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 9, 9, 9, 8})
	f.Fuzz(func(t *testing.T, ends []byte) {
		ends = ends[:min(len(ends), 120)]
		var edges []edge
		n := 0
		for pair := range slices.Chunk(ends, 2) {
			e := edge{uint32(pair[0] % 24), uint32(pair[len(pair)-1] % 24)}
			edges = append(edges, e)
			n = max(n, int(e[0])+1, int(e[1])+1)
		}
		g := graphOf(n, edges)
		want := brandes(g)
		compare(t, scoresOf(t, g, Options{Lanes: 1 + len(ends)%5}), want)
		var off []string
		for i, r := range reductions(question.Question{}, nil, false) {
			if len(ends)>>i&1 == 1 {
				off = append(off, r.Name)
			}
		}
		compare(t, scoresOf(t, g, Options{Off: off}), want)
	})
}
