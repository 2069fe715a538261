package wholes

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Sums of products are exact, and their float64 is the nearest.
func TestWide(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	draw := func() int64 { return r.Int64() >> r.IntN(63) }
	for range 20000 {
		narrow, wide, want := NewForms(1, false), NewForms(1, true), new(big.Int)
		for range 1 + r.IntN(6) {
			x, y := draw(), draw()
			product := new(big.Int).Mul(big.NewInt(x), big.NewInt(y))
			if r.IntN(2) == 0 {
				want.Add(want, product)
				narrow.Add(0, x, y)
				wide.Add(0, x, y)
			} else {
				want.Sub(want, product)
				narrow.Sub(0, x, y)
				wide.Sub(0, x, y)
			}
		}
		exact, _ := new(big.Float).SetInt(want).Float64()
		if got := wide.At(0).Float(); got != exact {
			t.Fatalf("%v, want %v = %v", got, want, exact)
		}
		if want.IsInt64() && (narrow.Low[0] != want.Int64() || narrow.At(0) != wide.At(0)) {
			t.Fatalf("%d in 64 bits, want %v", narrow.Low[0], want)
		}
		if want.Bit(0) == 0 {
			half, _ := new(big.Float).SetInt(want.Quo(want, big.NewInt(2))).Float64()
			if got, even := wide.At(0).Half(); !even || got.Float() != half {
				t.Fatalf("half of it is %v, want %v", got, half)
			}
		}
	}
}

// Parts are rounded to the grid once, and added up exactly.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for _, n := range []int{2, 1000, 1 << 20, 1<<31 - 1} {
		f, want := NewForms(1, true), new(big.Float).SetPrec(300)
		f.Fraction = Fraction(n)
		const terms = 500
		for range terms {
			x := r.Float64() * math.Ldexp(float64(n)*float64(n)/terms, -r.IntN(160))
			want.Add(want, big.NewFloat(x))
			f.AddPart(0, x)
		}
		sums := []float64{0}
		f.Restore(true, sums)
		exact, _ := want.Float64()
		if math.Abs(sums[0]-exact) > 0x1p-52*exact+terms*math.Ldexp(1, -f.Fraction) {
			t.Errorf("n %d: %v, want %v", n, sums[0], exact)
		}
	}
	whole := NewForms(1, false)
	whole.AddPart(0, 12)
	if whole.Low[0] != 12 {
		t.Errorf("%d, want 12", whole.Low[0])
	}
}
