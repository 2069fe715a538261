package preprocess

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
	"bcstage/internal/wholes"
)

// slowCycle sums over all pairs, in ordered pairs.
func slowCycle(weight, length []int64) []int64 {
	k := len(weight)
	out := make([]int64, k)
	around := int64(0)
	for _, x := range length {
		around += x
	}
	for s := range k {
		forward := int64(0)
		for way := 1; way < k; way++ { // from s forward to t
			t := (s + way) % k
			forward += length[(t+k-1)%k]
			pair := weight[s] * weight[t]
			switch {
			case 2*forward > around:
				pair = 0
			case 2*forward < around:
				pair *= 2
			}
			for i := 1; i < way; i++ {
				out[(s+i)%k] += pair
			}
		}
	}
	return out
}

// widths returns the same numbers with 128 bits.
func widths(list []int64) (out []wholes.Wide) {
	for _, x := range list {
		out = append(out, wholes.Wide{}.Plus(x, 1))
	}
	return out
}

// Cycles of equal lengths, given or not, and of other lengths, with ties and with edges
// longer than the path around.
func TestCycle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 1200 {
		weight := make([]int64, 3+i%40)
		length := make([]int64, len(weight))
		top := []int64{1, 2, 5, 1000}[i%4]
		for v := range weight {
			weight[v] = 1 + r.Int64N(1+int64(i*i))
			length[v] = 1 + r.Int64N(top)
		}
		if i%7 == 3 {
			length[r.IntN(len(length))] = top * int64(len(weight))
		}
		want := slowCycle(weight, length)
		given := [][]int64{length}
		if top == 1 && i%7 != 3 {
			given = append(given, nil)
		}
		for _, length := range given {
			if got := cycle(weight, weight, length); !slices.Equal(got, widths(want)) {
				t.Fatalf("weights %v, lengths %v: %v, want %v", weight, length, got, want)
			}
		}
	}
}

// The largest possible weights: their products must not overflow.
func TestCycleOfHeavyVertices(t *testing.T) {
	const heavy = csr.MaxVertices / 4
	weight := []int64{heavy, heavy, heavy, heavy}
	got := cycle(weight, weight, nil)
	want := int64(heavy) * heavy // one pair, both ways, half of the paths
	for v, x := range got {
		if x != (wholes.Wide{}).Plus(want, 1) {
			t.Errorf("vertex %d: %v, want %d", v, x.Float(), want)
		}
	}
	// Masses, too, whose products exceed 64 bits.
	most := []int64{building.MostMass / 4, building.MostMass / 4, building.MostMass / 4, building.MostMass / 4}
	for v, x := range cycle(most, slices.Clone(most), nil) {
		if x != (wholes.Wide{}).Plus(building.MostMass/4, building.MostMass/4) {
			t.Errorf("vertex %d: %v, want %v", v, x.Float(), float64(building.MostMass/4)*(building.MostMass/4))
		}
	}
}

// The longest possible edges, whose sum exceeds 2^62. Scores of edges equal those with
// all lengths divided by one number.
func TestCycleOfLongEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for i := range 300 {
		weight, length := make([]int64, 3+i%8), make([]int64, 3+i%8)
		for v := range weight {
			weight[v], length[v] = 1+r.Int64N(5), 1+r.Int64N(1+int64(i%4))
		}
		longer := slices.Clone(length)
		times := (1<<csr.LongestPath - 1) / int64(len(length)-1) / slices.Max(length)
		for v := range longer {
			longer[v] *= times
		}
		for _, of := range []func(from, to, length []int64) []wholes.Wide{cycle, cycleEdges} {
			if got, want := of(weight, weight, longer), of(weight, weight, length); !slices.Equal(got, want) {
				t.Fatalf("weights %v, lengths %v times %d: %v, want %v", weight, length, times, got, want)
			}
		}
	}
}

// With two masses a pair's halves need not meet: then there is no result.
func TestCycleOfTwoMasses(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	settled := 0
	for i := range 3000 {
		k := 3 + i%20
		from, to := make([]int64, k), make([]int64, k)
		for v := range from {
			from[v], to[v] = r.Int64N(3)*r.Int64N(9), r.Int64N(3)*r.Int64N(9)
		}
		length, around := make([]int64, k), int64(0)
		for v := range length {
			length[v] = 1 + r.Int64N(1+int64(i%3))
			around += length[v]
		}
		twice, whole := make([]int64, k), true
		for s := range k {
			for way := 1 - k; way < k; way++ { // from s to s+way
				steps, t := max(way, -way), (s+way+k)%k
				far := int64(0)
				for i := range steps {
					far += length[(min(s, s+way)+i+k)%k]
				}
				pair := 2 * from[s] * to[t]
				switch {
				case way == 0 || 2*far > around:
					continue
				case 2*far == around:
					pair /= 2
				}
				for i := 1; i < steps; i++ {
					twice[(s+i*way/steps+k)%k] += pair
				}
			}
		}
		for v := range twice {
			whole = whole && twice[v]%2 == 0
			twice[v] /= 2
		}
		got := cycle(from, to, length)
		if (got != nil) != whole || whole && !slices.Equal(got, widths(twice)) {
			t.Fatalf("masses %v, %v: %v, want %v", from, to, got, twice)
		}
		if whole {
			settled++
		}
	}
	if settled < 500 || settled == 3000 {
		t.Errorf("%d of 3000 have results", settled)
	}
}

func TestClosedFormsLeaveNothing(t *testing.T) {
	for name, g := range map[string]*csr.Graph{
		"tree":             graphOf(12, testgraphs.Star(0, 11)),
		"cycle":            graphOf(100, testgraphs.Ring(0, 100)),
		"clique":           graphOf(20, testgraphs.Clique(0, 20)),
		"chain of these":   graphOf(14, testgraphs.Join(testgraphs.Ring(0, 5), testgraphs.Clique(4, 6), testgraphs.Path(9, 13))),
		"cycles, one hub":  graphOf(41, testgraphs.Windmill(8, 6)),
		"bridge of cycles": graphOf(12, testgraphs.Join(testgraphs.Ring(0, 6), testgraphs.Path(5, 6), testgraphs.Ring(6, 6))),
	} {
		p, err := Reduce(context.Background(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Blocks) != 0 || len(p.Batches) != 0 {
			t.Errorf("%s: %d blocks, %d batches left", name, len(p.Blocks), len(p.Batches))
		}
		compare(t, scoresOf(t, g, Options{}), brandes(g))
	}
}
