package pairs

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// both returns two graphs as one block, with vertex v of the one and n+v of the other the same; the last vertex of each
// is in that graph only. All vertices are one group.
func both(n int, edges [2][]testgraphs.Edge) (b *preprocess.Block, twin, group []uint32) {
	all := slices.Clone(edges[0])
	for _, e := range edges[1] {
		all = append(all, testgraphs.Edge{e[0] + uint32(n), e[1] + uint32(n)})
	}
	b = &preprocess.Block{}
	b.Offsets, b.Targets = testgraphs.Rows(2*n, all)
	group = slices.Repeat([]uint32{csr.None}, 2*n)
	clear(group[:n])
	group[2*n-1] = 0
	twin = make([]uint32, 2*n)
	for v := range uint32(n) {
		twin[v], twin[uint32(n)+v] = uint32(n)+v, v
	}
	twin[n-1], twin[2*n-1] = csr.None, csr.None
	return b, twin, group
}

// tree is what a search from a vertex finds.
type tree struct {
	distance []int // -1: no path
	paths    []*big.Int
}

// treesOf returns the trees of all vertices.
func treesOf(b *preprocess.Block) (trees []tree) {
	for s := range b.Vertices() {
		f := tree{distance: slices.Repeat([]int{-1}, b.Vertices())}
		for range b.Vertices() {
			f.paths = append(f.paths, new(big.Int))
		}
		f.distance[s] = 0
		f.paths[s].SetInt64(1)
		for queue := []uint32{uint32(s)}; len(queue) > 0; queue = queue[1:] {
			u := queue[0]
			for _, w := range b.Neighbours(u) {
				if f.distance[w] < 0 {
					f.distance[w] = f.distance[u] + 1
					queue = append(queue, w)
				}
				if f.distance[w] == f.distance[u]+1 {
					f.paths[w].Add(f.paths[w], f.paths[u])
				}
			}
		}
		trees = append(trees, f)
	}
	return trees
}

// share is the part of the shortest paths from s to t that pass v, from distances and path counts alone.
func share(trees []tree, s, t, v uint32) float64 {
	from, to := &trees[s], &trees[t]
	if v == s || v == t || from.distance[t] < 0 || from.distance[v] < 0 || from.distance[v]+to.distance[v] != from.distance[t] {
		return 0
	}
	x, _ := new(big.Rat).SetFrac(new(big.Int).Mul(from.paths[v], to.paths[v]), from.paths[t]).Float64()
	return x
}

// sizeOf is one more than the largest vertex.
func sizeOf(edges []testgraphs.Edge) (n int) {
	for _, e := range edges {
		n = max(n, int(e[0])+1, int(e[1])+1)
	}
	return n
}

// Of every pair, the differences are those of the shares by distances and path counts in both graphs, to their unit.
func TestDifferencesOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 9))
	layers := testgraphs.Layers(3, 5)
	changed := 0
	for round := range max(60/testgraphs.OneIn, 12) {
		n := 12 + r.IntN(30)
		edges := testgraphs.Random(r, n, n, r.IntN(3*n))
		if round%4 == 0 { // many paths
			edges, n = layers, sizeOf(layers)
		}
		later := slices.Clone(edges)
		for range r.IntN(4) {
			i := r.IntN(len(later))
			later = append(slices.Delete(later, i, i+1), testgraphs.Edge{r.Uint32N(uint32(n)), r.Uint32N(uint32(n))})
		}
		b, twin, group := both(n, [2][]testgraphs.Edge{edges, later})
		trees := treesOf(b)
		x := newSearch(NewDifferences(b, twin, group, n))
		numbers := func(v int) (now, before uint32, is, was bool) { // n is the last vertex of the second graph
			return uint32(v), uint32(n + min(v, n-1)), v < n, v != n-1
		}
		for i := range n + 1 {
			for j := range n + 1 {
				s, olds, is, was := numbers(i)
				e, olde, ise, wase := numbers(j)
				is, was = is && ise, was && wase
				if i == j {
					continue
				}
				x.counts = Counts{}
				if !is && i == n {
					s = uint32(2*n - 1)
				} else if !is {
					e = uint32(2*n - 1)
				}
				x.differ(s, e)
				total := x.sum()
				length := 0.0
				for v := range uint32(n) {
					want := 0.0
					if is {
						want += share(trees, s, e, v)
					}
					if was && v < uint32(n-1) { // the last is another vertex there
						want -= share(trees, olds, olde, uint32(n)+v)
					}
					got := float64(total.Inner[v]-total.Inner[uint32(n)+v]) / DifferenceOne
					if math.Abs(got-want) > 1.0/DifferenceOne {
						t.Fatalf("pair %d, %d: vertex %d differs by %v, want %v", s, e, v, got, want)
					}
					if square := float64(total.Shares[v]+total.Shares[uint32(n)+v]) / DifferenceOne; square < got*got || square > got*got+1.0/DifferenceOne {
						t.Fatalf("pair %d, %d: vertex %d: square %v of %v", s, e, v, square, got)
					}
					if length += math.Abs(got); got != 0 {
						changed++
					}
				}
				if float64(total.Length) != math.Ceil(length) || total.Squares != total.Length*total.Length {
					t.Fatalf("pair %d, %d: length %d and square %d, want %v", s, e, total.Length, total.Squares, math.Ceil(length))
				}
			}
		}
	}
	if changed < 1000 {
		t.Errorf("%d shares changed: too few to tell", changed)
	}
}

// sum returns the counts of a search.
func (x *search) sum() Counts {
	total := x.Sampler.counts(1)
	x.hand(&total)
	return total
}

// Path counts beyond float64 are scaled, and shares stay right.
func TestDifferencesOfManyPaths(t *testing.T) {
	edges := testgraphs.Diamonds(1300) // 2^1300 paths
	n := sizeOf(edges) + 1             // and one more, alone
	b, twin, group := both(n, [2][]testgraphs.Edge{edges, nil})
	x := newSearch(NewDifferences(b, twin, group, n))
	x.differ(0, uint32(n-2))
	total := x.sum()
	halves := 0
	for v := range n {
		switch got := float64(total.Inner[v]) / DifferenceOne; {
		case got == 0 || got == 1:
		case math.Abs(got-0.5) < 1e-9:
			halves++
		default:
			t.Fatalf("vertex %d has %v", v, got)
		}
	}
	if halves != 2*1300 {
		t.Errorf("%d vertices have half of the paths", halves)
	}
}

// Each ordered pair of one group is drawn in proportion to its masses, and none of two groups: 1 each, of some vertices, and of
// products beyond the whole numbers of float64.
func TestDifferencesDrawWithinGroups(t *testing.T) {
	b, twin, group := both(6, [2][]testgraphs.Edge{{{0, 1}}, {{1, 2}}})
	for v := range group {
		group[v] = []uint32{7, 2, csr.None, 7, 2, 7, csr.None, csr.None, csr.None, csr.None, csr.None, 2}[v]
	}
	const large = 1 << 40
	for _, masses := range [][2][]float64{
		{},
		{slices.Repeat([]float64{1}, 12), nil},
		{{1, 0, 9, 3, 2, 0, 9, 9, 9, 9, 9, 1}, {0, 2, 9, 1, 3, 1, 9, 9, 9, 9, 9, 0}},
		{{large, 0, 9, 3 * large, 2 * large, 0, 9, 9, 9, 9, 9, large}, {0, 2 * large, 9, large, 3 * large, large, 9, 9, 9, 9, 9, 0}},
	} {
		b.From, b.To = masses[0], masses[1]
		s := NewDifferences(b, twin, group, 6)
		products, sum := map[[2]uint32]float64{}, 0.0
		for u := range uint32(12) {
			for v := range uint32(12) {
				if product := massOf(b.From, u) * massOf(b.To, v); group[u] == group[v] && group[u] != csr.None && product > 0 {
					products[[2]uint32{u, v}] = product
					sum += product
				}
			}
		}
		if s.Pairs() != sum {
			t.Fatalf("%v pairs, want %v", s.Pairs(), sum)
		}
		counts := map[[2]uint32]int{}
		const draws = 18000
		for i := range uint64(draws) {
			r := newRandom(1, 2, i)
			source, target := s.pair(&r)
			counts[[2]uint32{source, target}]++
		}
		for pair, count := range counts {
			if mean := draws * products[pair] / sum; math.Abs(float64(count)-mean) > 6*math.Sqrt(mean) {
				t.Errorf("pair %v: drawn %d times of %d, want %v", pair, count, draws, mean)
			}
		}
		if len(counts) != len(products) {
			t.Errorf("%d pairs, want %d", len(counts), len(products))
		}
	}
}

// A source that has fewer units than there are targets is drawn with all of them.
func TestDifferencesDrawLargeMasses(t *testing.T) {
	const n = 1024
	b, twin, group := both(n, [2][]testgraphs.Edge{})
	b.From, b.To = slices.Repeat([]float64{1 << 42}, 2*n), make([]float64, 2*n)
	b.To[0], b.To[1] = 1<<52, 1<<52
	s := NewDifferences(b, twin, group, n)
	counts := map[uint32]int{}
	for i := range uint64(1000) {
		r := newRandom(1, 2, i)
		_, target := s.pair(&r)
		counts[target]++
	}
	if len(counts) != 2 || counts[0] < 400 || counts[1] < 400 {
		t.Errorf("targets are drawn %v times of 1000, want half each", counts)
	}
}
