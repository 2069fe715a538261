package bound

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// hubs is a bound after some stages of pairs, with scores as uneven as in a
// social network.
func hubs(b *testing.B, n int) *Bound {
	r := rand.New(rand.NewPCG(1, 2))
	bound, err := New(Options{Vertices: n, Risk: 0.1, Range: 1, Longest: 9, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	s := Stage{Draws: 1000, Left: 1, Sum: make([]float64, n), Squares: make([]float64, n), Length: Length{Sum: 3000, Squares: 9500}}
	for range 4 {
		for v := range n {
			s.Sum[v] = math.Floor(100 * math.Pow(r.Float64(), 8))
			s.Squares[v] = s.Sum[v]
		}
		if err := bound.Add(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
	return bound
}

func BenchmarkIntervals(b *testing.B) {
	const n = 100_000
	bound := hubs(b, n)
	for b.Loop() {
		if _, err := bound.Intervals(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/vertex")
}

// The range decides everywhere: no vertex can be skipped at first sight.
func BenchmarkEpsOfSources(b *testing.B) {
	const n = 100_000
	r := rand.New(rand.NewPCG(1, 2))
	bound, err := New(Options{Vertices: n, Risk: 0.1, Range: 1.8, Longest: 9, Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	s := Stage{Draws: 250, Left: 1, Settled: make([]float64, n), Sum: make([]float64, n), Squares: make([]float64, n), Length: Length{Sum: 750, Squares: 2400}}
	for range 4 {
		s.Left -= 0.01
		for v := range n {
			s.Sum[v] = 0.01 * r.ExpFloat64()
			s.Squares[v] = s.Sum[v] * s.Sum[v] / 20
			s.Settled[v] += s.Sum[v] / 25_000
		}
		if err := bound.Add(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if _, err := bound.Eps(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/vertex")
}

func BenchmarkEps(b *testing.B) {
	const n = 100_000
	bound := hubs(b, n)
	for b.Loop() {
		if _, err := bound.Eps(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/vertex")
}
