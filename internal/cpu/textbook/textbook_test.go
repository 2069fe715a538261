package textbook

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// everything runs the reference over all sources of a block.
func everything(t *testing.T, b *preprocess.Block) (scores, got, want []float64) {
	t.Helper()
	scores, got, want = make([]float64, b.Vertices()), make([]float64, len(b.Sources)), make([]float64, len(b.Sources))
	if err := Scores(t.Context(), b, b.Sources, scores, got, want); err != nil {
		t.Fatal(err)
	}
	return scores, got, want
}

// brute computes betweenness with masses by its definition, in exact rationals: summed over
// ordered pairs, the share of the shortest paths that pass v. Arcs may have
// directions and lengths.
func brute(b *preprocess.Block) []float64 {
	n := b.Vertices()
	distance := make([][]int64, n)
	paths := make([][]*big.Int, n)
	for s := range n {
		distance[s] = shortest(b, s)
		paths[s] = make([]*big.Int, n)
		byDistance := make([]int, 0, n)
		for v := range n {
			paths[s][v] = new(big.Int)
			if distance[s][v] >= 0 {
				byDistance = append(byDistance, v)
			}
		}
		slices.SortFunc(byDistance, func(u, v int) int { return cmp.Compare(distance[s][u], distance[s][v]) })
		paths[s][s].SetInt64(1)
		for _, u := range byDistance {
			for e := b.Offsets[u]; e < b.Offsets[u+1]; e++ {
				if v := b.Targets[e]; distance[s][u]+lengthOf(b, e) == distance[s][v] {
					paths[s][v].Add(paths[s][v], paths[s][u])
				}
			}
		}
	}
	scores := make([]float64, n)
	for v := range n {
		sum := new(big.Rat)
		for s := range n {
			for t := range n {
				if b.Cutoff > 0 && distance[s][t] > int64(b.Cutoff) || s == t || s == v || t == v || distance[s][v] < 0 || distance[v][t] < 0 || distance[s][v]+distance[v][t] != distance[s][t] {
					continue
				}
				share := new(big.Rat).SetFrac(new(big.Int).Mul(paths[s][v], paths[v][t]), paths[s][t])
				sum.Add(sum, share.Mul(share, new(big.Rat).SetInt64(int64(b.From[s]*b.To[t]))))
			}
		}
		scores[v], _ = sum.Float64()
	}
	return scores
}

// shortest returns the distances from s, by relaxing every arc n times (Bellman and Ford); -1:
// not reached.
func shortest(b *preprocess.Block, s int) []int64 {
	n := b.Vertices()
	distance := slices.Repeat([]int64{-1}, n)
	distance[s] = 0
	for range n {
		for u := range n {
			for e := b.Offsets[u]; e < b.Offsets[u+1]; e++ {
				v, d := b.Targets[e], distance[u]+lengthOf(b, e)
				if distance[u] >= 0 && (distance[v] < 0 || d < distance[v]) {
					distance[v] = d
				}
			}
		}
	}
	return distance
}

func lengthOf(b *preprocess.Block, e int64) int64 {
	if b.Lengths == nil {
		return 1
	}
	return b.Lengths[e]
}

func TestReferenceMatchesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		b := testblocks.Random(r, 1+r.IntN(18), r.IntN(30), 1)
		want := brute(b)
		scores, got, check := everything(t, b)
		testblocks.WantClose(t, "reference", scores, want, 1e-13)
		testblocks.WantClose(t, "reference check", got, check, 1e-13)
	}
	for range 200 {
		n := 1 + r.IntN(14)
		b := testblocks.RandomDirected(r, n, r.IntN(4*n), 1)
		b.Cutoff = max(0, r.IntN(9)-3)
		want := brute(b)
		scores, got, check := everything(t, b)
		testblocks.WantClose(t, "directed", scores, want, 1e-13)
		testblocks.WantClose(t, "directed check", got, check, 1e-13)
	}
}

// Arcs both ways are edges. If every arc is reversed, sources and targets
// change places.
func TestReferenceDirections(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 21))
	for range 60 {
		n := 2 + r.IntN(20)
		edges := testgraphs.Random(r, n, n, r.IntN(2*n))
		both := testblocks.Directed(n, testgraphs.Join(edges, testgraphs.Reversed(edges)), 1)
		want, _, _ := everything(t, testblocks.Of(n, edges, 1))
		scores, _, _ := everything(t, both)
		testblocks.WantClose(t, "arcs both ways", scores, want, 1e-13)
		b := testblocks.RandomDirected(r, n, r.IntN(4*n), 1)
		turned := *b
		turned.Graph, turned.From, turned.To = *b.In, b.To, b.From
		turned.In = &csr.Graph{Offsets: b.Offsets, Targets: b.Targets}
		want, _, _ = everything(t, b)
		scores, _, _ = everything(t, &turned)
		testblocks.WantClose(t, "arcs turned round", scores, want, 1e-13)
	}
}

// Few different lengths make many ties. Lengths of very different sizes make detours
// through many short edges.
func TestReferenceWithLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for i := range 300 {
		b := testblocks.Random(r, 1+r.IntN(18), r.IntN(40), 1)
		top := []int64{1, 2, 3, 10, 1 << 40}[i%5]
		testblocks.Lengths(r, b, top)
		want := brute(b)
		scores, got, check := everything(t, b)
		testblocks.WantClose(t, "reference", scores, want, 1e-13)
		testblocks.WantClose(t, "reference check", got, check, 1e-13)
		if top == 1 {
			b.Lengths = nil
			hops, _, _ := everything(t, b)
			testblocks.WantClose(t, "hops", scores, hops, 1e-14)
		}
	}
}

// 0.1 + 0.2 ties 0.15 + 0.15 where lengths are whole hundredths. The path from 1 to
// 3 is shorter through 0.
func TestReferenceTies(t *testing.T) {
	b := testblocks.Of(4, []testgraphs.Edge{{0, 1}, {1, 2}, {0, 3}, {3, 2}}, 1)
	testblocks.SetLengths(b, map[testgraphs.Edge]int64{{0, 1}: 10, {1, 2}: 20, {0, 3}: 15, {2, 3}: 15})
	scores, _, _ := everything(t, b)
	testblocks.WantClose(t, "ties", scores, []float64{2, 1, 0, 1}, 0)
}

// A class of multiplicity k gives all other vertices the same scores as k twins with
// the same neighbours. The test compares the class graph with the graph of all members.
// Twins are no sources here, for pairs inside a class belong to the reductions.
func TestReferenceMultiplicity(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 60 {
		b := testblocks.Random(r, 2+r.IntN(12), r.IntN(20), 1)
		n := b.Vertices()
		b.Multiplicity = make([]float64, n)
		var members [][]uint32
		whole := 0
		for v := range n {
			b.Multiplicity[v] = float64(1 + max(0, r.IntN(5)-2))
			var class []uint32
			for range int(b.Multiplicity[v]) {
				class = append(class, uint32(whole))
				whole++
			}
			members = append(members, class)
			b.From[v], b.To[v] = b.Multiplicity[v], b.Multiplicity[v]
		}
		var edges []testgraphs.Edge
		for u := range n {
			for _, v := range b.Neighbours(uint32(u)) {
				for _, x := range members[u] {
					for _, y := range members[v] {
						edges = append(edges, [2]uint32{x, y})
					}
				}
			}
		}
		spelled := testblocks.Of(whole, edges, 1)
		for s := range uint32(n) {
			if b.Multiplicity[s] > 1 {
				continue
			}
			scores, all := make([]float64, n), make([]float64, whole)
			got, want := []float64{0}, []float64{0}
			if err := Scores(t.Context(), b, []uint32{s}, scores, got, want); err != nil {
				t.Fatal(err)
			}
			testblocks.WantClose(t, "check", got, want, 1e-13)
			if err := Scores(t.Context(), spelled, members[s], all, []float64{0}, []float64{0}); err != nil {
				t.Fatal(err)
			}
			for v := range n {
				for _, x := range members[v] {
					testblocks.WantClose(t, "member", all[x:x+1], scores[v:v+1], 1e-13)
				}
			}
		}
	}
}

// On a chain of diamonds every path count is a power of two, so the closed form is
// exact. A corner joint lies on all paths between its sides, a middle vertex on
// half of them.
func TestReferenceBeyondFloat64(t *testing.T) {
	const k = 5000 // 2^5000 paths
	b := testblocks.Diamonds(k, 1)
	sources := []uint32{0, 3 * k / 2, 3 * k}
	scores, got, want := make([]float64, b.Vertices()), make([]float64, 3), make([]float64, 3)
	if err := Scores(t.Context(), b, sources, scores, got, want); err != nil {
		t.Fatal(err)
	}
	testblocks.WantClose(t, "check", got, want, 1e-12)
	total := float64(b.Vertices())
	exact := make([]float64, b.Vertices())
	for v := range exact {
		for _, s := range sources {
			at, from := float64(v), float64(s)
			switch joint := v%3 == 0; {
			case uint32(v) == s:
			case joint && at > from:
				exact[v] += total - 1 - at
			case joint:
				exact[v] += at
			case at > from:
				exact[v] += (total - 1 - float64(v-v%3+2)) / 2
			default:
				exact[v] += float64(v-v%3+1) / 2
			}
		}
	}
	testblocks.WantClose(t, "diamonds", scores, exact, 1e-12)
}

func TestReferenceMatchesRationals(t *testing.T) {
	for _, b := range []*preprocess.Block{testblocks.Diamonds(25, 1), testblocks.Layered(5, 9, 1), testblocks.Grid(8, 9, 1)} {
		scores, got, want := everything(t, b)
		testblocks.WantClose(t, "scores", scores, brute(b), 1e-13)
		testblocks.WantClose(t, "check", got, want, 1e-13)
	}
}

func TestReferenceStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := testblocks.Grid(5, 5, 1)
	if err := Scores(ctx, b, b.Sources, make([]float64, 25), make([]float64, 25), make([]float64, 25)); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
}
