package cpu

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"

	"bcstage/preprocess"
	"bcstage/preprocess/testblocks"
	"bcstage/preprocess/testgraphs"
)

// everything runs the reference over all sources of a block.
func everything(t *testing.T, b *preprocess.Block) (scores, got, want []float64) {
	t.Helper()
	scores, got, want = make([]float64, b.Vertices()), make([]float64, len(b.Sources)), make([]float64, len(b.Sources))
	if err := Reference(t.Context(), b, b.Sources, scores, got, want); err != nil {
		t.Fatal(err)
	}
	return scores, got, want
}

// brute is weighted betweenness by its definition, in exact rationals: over
// ordered pairs, the share of the shortest paths that pass v.
func brute(b *preprocess.Block) []float64 {
	n := b.Vertices()
	distance := make([][]int, n)
	paths := make([][]*big.Int, n)
	for s := range n {
		distance[s], paths[s] = make([]int, n), make([]*big.Int, n)
		for v := range n {
			distance[s][v], paths[s][v] = -1, new(big.Int)
		}
		distance[s][s] = 0
		paths[s][s].SetInt64(1)
		queue := []uint32{uint32(s)}
		for head := 0; head < len(queue); head++ {
			u := queue[head]
			for _, v := range b.Neighbours(u) {
				if distance[s][v] < 0 {
					distance[s][v] = distance[s][u] + 1
					queue = append(queue, v)
				}
				if distance[s][v] == distance[s][u]+1 {
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
				if s == t || s == v || t == v || distance[s][v] < 0 || distance[s][v]+distance[v][t] != distance[s][t] {
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

func TestReferenceMatchesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		b := randomBlock(r, 1+r.IntN(18), r.IntN(30), 1)
		want := brute(b)
		scores, got, check := everything(t, b)
		wantClose(t, "reference", scores, want, 1e-13)
		wantClose(t, "reference check", got, check, 1e-13)
	}
}

// Replacing a vertex by k twins with the same neighbours must change nothing
// for the others when seen as one class of multiplicity k: computed here on the
// class graph and on the graph with every member spelled out. Sources that are
// twins are left out, for pairs inside a class belong to the reductions.
func TestReferenceMultiplicity(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 60 {
		b := randomBlock(r, 2+r.IntN(12), r.IntN(20), 1)
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
			if err := Reference(t.Context(), b, []uint32{s}, scores, got, want); err != nil {
				t.Fatal(err)
			}
			wantClose(t, "check", got, want, 1e-13)
			if err := Reference(t.Context(), spelled, members[s], all, []float64{0}, []float64{0}); err != nil {
				t.Fatal(err)
			}
			for v := range n {
				for _, x := range members[v] {
					wantClose(t, "member", all[x:x+1], scores[v:v+1], 1e-13)
				}
			}
		}
	}
}

// On a chain of diamonds every count is a power of two, so the closed form is
// exact: a corner joint lies on all paths between its sides, a middle vertex on
// half of them.
func TestReferenceBeyondFloat64(t *testing.T) {
	const k = 5000 // 2^5000 paths
	b := diamonds(k, 1)
	sources := []uint32{0, 3 * k / 2, 3 * k}
	scores, got, want := make([]float64, b.Vertices()), make([]float64, 3), make([]float64, 3)
	if err := Reference(t.Context(), b, sources, scores, got, want); err != nil {
		t.Fatal(err)
	}
	wantClose(t, "check", got, want, 1e-12)
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
	wantClose(t, "diamonds", scores, exact, 1e-12)
}

func TestReferenceMatchesRationals(t *testing.T) {
	for _, b := range []*preprocess.Block{diamonds(25, 1), layered(5, 9, 1), grid(8, 9, 1)} {
		scores, got, want := everything(t, b)
		wantClose(t, "scores", scores, brute(b), 1e-13)
		wantClose(t, "check", got, want, 1e-13)
	}
}

func TestReferenceStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := grid(5, 5, 1)
	if err := Reference(ctx, b, b.Sources, make([]float64, 25), make([]float64, 25), make([]float64, 25)); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
}
