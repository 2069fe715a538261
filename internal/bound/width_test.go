package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"bcstage/internal/testgraphs"
)

// The price of the promise: at the same number of sources the widest interval is
// less than half as wide as with the usual empirical Bernstein bound (A. Maurer and
// M. Pontil, "Empirical Bernstein bounds and sample variance penalization", COLT
// 2009), with a union over all vertices. That bound holds at one moment only.
func TestHalfOfMaurerPontil(t *testing.T) {
	random := func() *rand.Rand { return rand.New(rand.NewPCG(9, 9)) }
	for name, edges := range map[string][]testgraphs.Edge{
		"streets": testgraphs.CutGrid(random(), 2000, 0.6),
		"social":  testgraphs.Random(random(), 2000, 2000, 5000),
	} {
		t.Run(name, func(t *testing.T) { compareWidths(t, sources(name, edges, nil)) })
	}
}

func TestHalfOfMaurerPontilOnPublishedGraphs(t *testing.T) {
	if testgraphs.OneIn > 1 {
		t.Skip("takes a gigabyte: with the tag exhaustive")
	}
	for _, name := range []string{"ca-GrQc.txt.gz", "power.graph.gz"} {
		_, edges := testgraphs.Published(t, name)
		t.Run(name, func(t *testing.T) { compareWidths(t, sources(name, largest(edges), nil)) })
	}
}

func compareWidths(t *testing.T, p *population) {
	const risk = 0.1
	n := float64(len(p.truth))
	sum, squares := make([]float64, len(p.truth)), make([]float64, len(p.truth))
	run(t, p, p.options(risk), 1, func(b *Bound, c Columns, s *Stage) {
		k, level := float64(b.Draws()), math.Log(4*n/risk)
		ours, usual := 0.0, 0.0
		for v := range p.truth {
			ours = max(ours, c.Upper[v]-c.Estimate[v], c.Estimate[v]-c.Lower[v])
			sum[v], squares[v] = sum[v]+s.Sum[v], squares[v]+s.Squares[v]
			variance := max(squares[v]-sum[v]*sum[v]/k, 0) / (k - 1)
			usual = max(usual, math.Sqrt(2*variance*level/k)+7*p.bound*level/(3*(k-1)))
		}
		if k < 250 {
			return
		}
		t.Logf("%4.0f of %.0f sources: %.4f, usually %.4f: %.2f times", k, n, ours, usual, ours/usual)
		if ours > usual/2 {
			t.Errorf("after %.0f sources the widest interval is %v, and the usual one %v", k, ours, usual)
		}
	})
}

// largest returns the largest connected component, with its vertices renumbered.
func largest(edges []testgraphs.Edge) []testgraphs.Edge {
	n := uint32(0)
	for _, e := range edges {
		n = max(n, e[0]+1, e[1]+1)
	}
	parent := make([]uint32, n)
	for v := range parent {
		parent[v] = uint32(v)
	}
	root := func(v uint32) uint32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	for _, e := range edges {
		parent[root(e[0])] = root(e[1])
	}
	size, most := make([]int, n), uint32(0)
	for v := range n {
		size[root(v)]++
		if size[root(v)] > size[most] {
			most = root(v)
		}
	}
	number, kept := map[uint32]uint32{}, []testgraphs.Edge(nil)
	name := func(v uint32) uint32 {
		if _, known := number[v]; !known {
			number[v] = uint32(len(number))
		}
		return number[v]
	}
	for _, e := range edges {
		if root(e[0]) == most {
			kept = append(kept, testgraphs.Edge{name(e[0]), name(e[1])})
		}
	}
	return kept
}

// Of signed values, Eps is the largest distance of an end, and a vertex that one part alone meets has the range of one
// part, not of two.
func TestSignedWidths(t *testing.T) {
	b, err := New(Options{Vertices: 3, Risk: 0.1, Range: 1, Longest: 2, Signed: true})
	if err != nil {
		t.Fatal(err)
	}
	part, err := New(Options{Vertices: 6, Risk: 0.1, Range: 1, Longest: 2})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		s := Stage{Draws: 500, Left: 1, Sum: []float64{3, 0, 2, 1, 0, 0}, Squares: []float64{2, 0, 1, 0.5, 0, 0}, Length: Length{Sum: 6, Squares: 6}}
		for _, of := range []*Bound{b, part} {
			if err := of.Add(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		joined, err := b.Intervals(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for v := range 3 {
			more, less := part.At(v), part.At(3+v)
			want := Interval{more.Lower - less.Upper, more.Estimate - less.Estimate, more.Upper - less.Lower}
			if got := (Interval{joined.Lower[v], joined.Estimate[v], joined.Upper[v]}); got != want {
				t.Errorf("vertex %d: %v, want %v", v, got, want)
			}
			worst = max(worst, want.Half())
		}
		if eps, err := b.Eps(t.Context()); err != nil || eps != worst {
			t.Errorf("eps %v, want %v (%v)", eps, worst, err)
		}
		if joined.Upper[1] != -joined.Lower[1] || joined.Upper[1] != part.At(1).Upper {
			t.Errorf("a vertex that is not met: [%v, %v], want %v on both sides", joined.Lower[1], joined.Upper[1], part.At(1).Upper)
		}
	}
}
