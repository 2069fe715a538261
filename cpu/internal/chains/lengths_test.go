package chains_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
)

// upTo draws whole numbers from 1 to most.
func upTo(r *rand.Rand, most int64) func() int64 { return func() int64 { return 1 + r.Int64N(most) } }

func TestLengthsMatchReference(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	for round := range 3000 {
		length := upTo(r, []int64{1, 2, 3, 10, 1000, 1 << 40}[r.IntN(6)])
		if r.IntN(6) == 0 {
			length = func() int64 { return 1 << r.IntN(41) }
		}
		b := withChains(t, testgraphs.Ears(r, r.IntN(14), 1+r.IntN(10)), 1, length)
		b.Lanes = 1 + r.IntN(b.Vertices())
		weigh(r, b, []int{10, 1000, 1 << 24}[round%3])
		if round%2 == 0 { // any sources may share a batch
			r.Shuffle(len(b.Sources), func(i, j int) { b.Sources[i], b.Sources[j] = b.Sources[j], b.Sources[i] })
		}
		checkChains(t, fmt.Sprintf("round %d", round), b)
	}
}

// Chains of equal lengths, cut at any places: every kind of tie.
func TestLengthsTies(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 2))
	for length := 1; length <= 6; length++ {
		for other := 1; other <= 6; other++ {
			for name, d := range tied(length, other) {
				for _, most := range []int64{1, 2, 3} {
					checkChains(t, fmt.Sprintf("%s of %d and %d, lengths up to %d", name, length, other, most), withChains(t, d.Edges, 7, upTo(r, most)))
				}
			}
		}
	}
}

func TestLengthsManyPaths(t *testing.T) {
	checkChains(t, "2^450 paths", withChains(t, testgraphs.Necklace(900, 2), 64, func() int64 { return 3 }))
}

func TestLengthsOverflow(t *testing.T) { checkOverflow(t, func() int64 { return 3 }) }

func TestLengthsBits(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 3))
	checkBits(t, r, upTo(r, 4))
}

// A vertex without mass that splits an edge at any place does not change
// the other scores.
func TestSplitEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 4))
	for range 200 {
		edges := testgraphs.Ears(r, 8, 6)
		b := withChains(t, edges, 1<<10, func() int64 { return 2 + r.Int64N(4) })
		n := uint32(b.Vertices())
		lengths := map[testgraphs.Edge]int64{}
		var split []testgraphs.Edge
		total := n
		for v := range n {
			for i, u := range b.Neighbours(v) {
				length := b.Lengths[b.Offsets[v]+int64(i)]
				switch {
				case u > v:
				case r.IntN(3) == 0:
					part := 1 + r.Int64N(length-1)
					split = append(split, testgraphs.Edge{u, total}, testgraphs.Edge{v, total})
					lengths[testgraphs.Edge{u, total}], lengths[testgraphs.Edge{v, total}] = part, length-part
					total++
				default:
					split = append(split, testgraphs.Edge{u, v})
					lengths[testgraphs.Edge{u, v}] = length
				}
			}
		}
		after := withChains(t, split, 1<<10, func() int64 { return 1 })
		testblocks.SetLengths(after, lengths)
		for v := n; v < total; v++ {
			after.From[v] = 0
		}
		after.To = after.From
		was, is := make([]float64, n), make([]float64, total)
		for _, result := range results(t, testblocks.Plan(b)) {
			for v, score := range result.Scores {
				was[v] += score
			}
		}
		for _, result := range results(t, testblocks.Plan(after)) {
			for v, score := range result.Scores {
				is[v] += score
			}
		}
		for v, score := range was {
			wantClose(t, fmt.Sprint("score of ", v), is[v], score, 1e-12)
		}
	}
}

func TestLengthsCancelled(t *testing.T) { checkCancelled(t, func() int64 { return 2 }) }

// FuzzLengths draws a graph from bytes: the lengths and ends of ears, of edges, masses,
// and the size of batches.
func FuzzLengths(f *testing.F) {
	f.Add([]byte{3, 0, 1, 2, 5, 1, 3, 4, 4, 0, 2, 2})
	f.Add([]byte{9, 0, 9, 9, 9, 9, 9, 0, 9, 9, 0, 9, 200, 100, 3})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 || len(data) > 60 {
			return
		}
		d := ears(data)
		junctions, degree := 0, make([]int, d.N)
		for _, e := range d.Edges {
			for _, v := range e {
				if degree[v]++; degree[v] == 3 {
					junctions++
				}
			}
		}
		if junctions < 2 {
			return
		}
		at := 0
		b := withChains(t, d.Edges, 1+int(data[1]), func() int64 {
			at++
			return 1 + int64(data[at%len(data)]%7)
		})
		if data[0]%2 == 0 {
			b.To = make([]float64, b.Vertices())
		}
		for v := range b.From {
			b.To[v] = float64(int(data[(v+1)%len(data)]) % 5)
			b.From[v] = float64(1 + int(data[v%len(data)])*v%7)
		}
		checkChains(t, "fuzzed", b)
	})
}
