package ledger

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

func TestSumsAreExactOnTheGrid(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 1000, 1 << 20, 1<<31 - 1} {
		s := &sums{fraction: wholes.Fraction(n), words: make([]word, 1)}
		want := new(big.Float).SetPrec(500)
		bound := float64(n) * float64(n)
		for range 2000 {
			x := random.Float64() * math.Pow(2, float64(random.IntN(60)-59)) * bound / 2000
			s.add(0, x)
			want.Add(want, big.NewFloat(x))
		}
		exact, _ := want.Float64()
		if got := s.value(0); math.Abs(got-exact) > 1e-15*exact {
			t.Errorf("n = %d: sum %v, want %v", n, got, exact)
		}
	}
}

func TestSumsDoNotDependOnOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	terms := make([]float64, 5000)
	for i := range terms {
		terms[i] = math.Exp(20*random.Float64() - 25)
	}
	forward, shuffled := newSumsOf(2000, wholes.Fraction(2000)), newSumsOf(2000, wholes.Fraction(2000))
	for _, x := range terms {
		forward.add(7, x)
	}
	for _, i := range random.Perm(len(terms)) {
		shuffled.add(7, terms[i])
	}
	if forward.words[7] != shuffled.words[7] {
		t.Errorf("%v forwards, %v shuffled", forward.words[7], shuffled.words[7])
	}
	naive := 0.0
	for _, x := range terms {
		naive += x
	}
	if got := forward.value(7); math.Abs(got-naive) > 1e-12*naive {
		t.Errorf("sum %v, want about %v", got, naive)
	}
}

func TestSumsEdges(t *testing.T) {
	for _, test := range []struct {
		n     int
		terms []float64
		want  float64
	}{
		{1, []float64{1}, 1},
		{1, []float64{0, math.SmallestNonzeroFloat64}, 0},
		{3, []float64{0.5, 0.25, 0.125}, 0.875},
		{1 << 20, []float64{1 << 39, 1 << 38, 0x1p-40}, 1<<39 + 1<<38},
		{1 << 20, []float64{0x1p-60, 0x1p-60}, 0x1p-59},
		{1<<31 - 1, []float64{0x1p61, 1}, 0x1p61},
		{1<<31 - 1, []float64{0x1.fffffffffffffp61}, 0x1.fffffffffffffp61},
	} {
		s := &sums{fraction: wholes.Fraction(test.n), words: make([]word, 1)}
		for _, x := range test.terms {
			s.add(0, x)
		}
		if got := s.value(0); got != test.want {
			t.Errorf("n = %d, %v: sum %v, want %v", test.n, test.terms, got, test.want)
		}
	}
}

// A sum of inverses beyond 64 bits is equal to the sum of its parts.
func TestHarmonicBeyond64Bits(t *testing.T) {
	for _, n := range []int{5000, 1<<31 - 1} {
		parts, whole := newColumns(question.Question{Measures: []string{measures.Harmonic}}, 1, 0)[0], column{}
		parts.sums = &sums{fraction: wholes.Fraction(n), words: make([]word, 1)}
		whole = column{Measure: parts.Measure, sums: &sums{fraction: wholes.Fraction(n), words: make([]word, 1)}}
		sum := engine.Found{}
		for i := range uint64(90000) {
			x := uint64(1)<<engine.HarmonicBits/(i%7+1) + i
			parts.addFound([]uint32{0}, []engine.Found{{Harmonic: x}})
			low, carry := bits.Add64(sum.Harmonic, x, 0)
			sum.Harmonic, sum.HarmonicHigh = low, sum.HarmonicHigh+carry
		}
		whole.addFound([]uint32{0}, []engine.Found{sum})
		if sum.HarmonicHigh == 0 || parts.sums.words[0] != whole.sums.words[0] {
			t.Errorf("n = %d: %v in parts, %v together, of %+v", n, parts.sums.words[0], whole.sums.words[0], sum)
		}
	}
}

func BenchmarkSumsAdd(b *testing.B) {
	s := newSumsOf(1<<16, wholes.Fraction(1<<16))
	for i := range b.N {
		s.add(uint32(i)&(1<<16-1), float64(i))
	}
}

// Added at once, terms give the sums of adding one by one: of any size, with few or many zeros.
func TestAddAll(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for i := range 6 {
		n, many := []int{2, 5000, 1 << 30}[i/2], i%2 == 1
		one, all := &sums{fraction: wholes.Fraction(n), words: make([]word, 8)}, &sums{fraction: wholes.Fraction(n), words: make([]word, 8)}
		var vertices []uint32
		var terms []float64
		for range 2000 {
			x := math.Ldexp(r.Float64(), r.IntN(2*bits.Len(uint(n))+140)-138)
			if r.IntN(9) == 0 {
				x = []float64{0, math.SmallestNonzeroFloat64, 1, float64(n)}[r.IntN(4)]
			}
			if many && r.IntN(2) == 0 {
				x = 0
			}
			vertices, terms = append(vertices, r.Uint32N(8)), append(terms, x)
			one.add(vertices[len(terms)-1], x)
		}
		var at []uint32
		for i, x := range terms {
			if x != 0 {
				at = append(at, uint32(i))
			}
		}
		for _, at := range [][]uint32{nil, at} {
			clear(all.words)
			all.addAll(vertices, terms, at)
			if !slices.Equal(one.words, all.words) {
				t.Errorf("n = %d: %v, want %v", n, all.words, one.words)
			}
		}
	}
}

func TestAddAllOnThreads(t *testing.T) {
	const n = 1 << 17
	r := rand.New(rand.NewPCG(3, 10))
	vertices, terms := make([]uint32, n), make([]float64, n)
	for i, v := range r.Perm(n) {
		vertices[i], terms[i] = uint32(v), float64(r.IntN(2))*r.Float64()
	}
	one, many := newSumsOf(n, wholes.Fraction(n)), newSumsOf(n, wholes.Fraction(n))
	one.addAll(vertices, terms, nil)
	many.addAllOn(3, vertices, terms, nil)
	if !slices.Equal(one.words, many.words) {
		t.Error("other sums")
	}
}

func TestFinite(t *testing.T) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1e-310, 7, math.MaxFloat64} {
		if !finite([]float64{3, x, 5}, nil) {
			t.Errorf("%v is no score", x)
		}
	}
	for _, x := range []float64{-1e-310, -7, math.Inf(1), math.Inf(-1), math.NaN(), -math.NaN()} {
		if finite([]float64{3, x, 5}, nil) {
			t.Errorf("%v is a score", x)
		}
	}
}
