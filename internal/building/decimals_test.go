package building

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"bcstage/preprocess/question"
)

// wide returns a column of decimal numbers, digits of up to 128 bits times a power of ten.
func wide(numbers []*big.Int, exponents []int16) Weights {
	w := Weights{Exponents: exponents, High: []int64{}}
	for _, x := range numbers {
		w.High = append(w.High, int64(new(big.Int).Rsh(x, 64).Uint64()))
		w.Digits = append(w.Digits, int64(new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64)).Uint64()))
	}
	return w
}

// ratOf returns row i as a fraction.
func ratOf(w Weights, i int) *big.Rat {
	x, _ := new(big.Rat).SetString(w.set(new(big.Int), i).String())
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(w.exponent(i), -w.exponent(i)))), nil))
	if w.exponent(i) < 0 {
		return x.Quo(x, power)
	}
	return x.Mul(x, power)
}

// randomNumber has up to most bits, and is not 0.
func randomNumber(r *rand.Rand, most int) *big.Int {
	x := new(big.Int).SetUint64(r.Uint64())
	x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(r.Uint64()))
	x.Rsh(x, uint(128-1-r.IntN(most)))
	return x.Add(x, big.NewInt(1))
}

// Rounding is to nearest even, whatever the digits, and reports the loss.
func TestRoundedLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var e exactly
	two := big.NewRat(2, 1)
	for range 20000 {
		bits, exponent, shift := 126, int16(r.IntN(60)-40), r.IntN(120)-60
		if r.IntN(2) == 0 {
			bits, exponent, shift = 58, int16(-r.IntN(20)), r.IntN(64)
		}
		w := wide([]*big.Int{randomNumber(r, bits)}, []int16{exponent})
		want := ratOf(w, 0)
		for range max(shift, -shift) {
			if shift > 0 {
				want.Mul(want, two)
			} else {
				want.Quo(want, two)
			}
		}
		if limit := new(big.Rat).SetInt64(1 << 61); want.Cmp(limit) > 0 {
			continue // choose never takes such a shift
		}
		got, lost := e.rounded(w, 0, shift)
		difference := new(big.Rat).Sub(new(big.Rat).SetInt64(got), want)
		difference.Abs(difference)
		half := difference.Cmp(big.NewRat(1, 2))
		share, _ := difference.Float64()
		if half > 0 || half == 0 && got%2 == 1 || (lost == 0) != (difference.Sign() == 0) || math.Abs(math.Ldexp(lost, shift)-share) > 1e-9 {
			t.Fatalf("%s e%d by 2^%d: %d, %v lost, want %s", w.set(new(big.Int), 0), exponent, shift, got, lost, want.FloatString(3))
		}
	}
}

// Numbers of up to 38 digits are compared and added exactly if few digits remain without their
// common divisor.
func TestWideLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range 500 {
		common := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(r.IntN(25))), nil)
		common.Mul(common, big.NewInt(1+r.Int64N(1<<30)))
		var numbers []*big.Int
		for range 4 {
			numbers = append(numbers, new(big.Int).Mul(common, big.NewInt(1+r.Int64N(1000))))
		}
		exponent := int16(-r.IntN(30))
		w := wide(numbers, []int16{exponent, exponent, exponent, exponent})
		b := NewBuilder(1)
		b.Repeats = []string{"", question.RepeatsSum, question.RepeatsError}[r.IntN(3)]
		if err := b.AddWeightedEdges(Keys{Ints: []uint64{1, 2, 3, 4}}, Keys{Ints: []uint64{2, 3, 4, 5}}, w); err != nil {
			t.Fatal(err)
		}
		in, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if in.Scale.Rounding != 0 || in.Scale.Rounded != 0 || in.Scale.Merged != 0 {
			t.Fatalf("%v e%d: %+v", numbers, exponent, in.Scale)
		}
		for i := range numbers {
			length := int64(1)
			if in.Graph.Lengths != nil {
				length = in.Graph.Length(uint32(i), uint32(i+1))
			}
			if got := new(big.Rat).Mul(in.Scale.One(), new(big.Rat).SetInt64(length)); got.Cmp(ratOf(w, i)) != 0 {
				t.Fatalf("%s of %+v, want %s e%d", got, in.Scale, numbers[i], exponent)
			}
		}
	}
}

// Lengths that do not fit are counted, and two different ones stay different.
func TestLengthsThatDoNotFit(t *testing.T) {
	number := func(text string) *big.Int { x, _ := new(big.Int).SetString(text, 10); return x }
	w := wide([]*big.Int{number("12345678901234567890121"), number("12345678901234567890123"), number("12345678901234567890125")}, nil)
	build := func(repeats string) (*Input, error) {
		b := NewBuilder(1)
		b.Repeats = repeats
		if err := b.AddWeightedEdges(Keys{Ints: []uint64{1, 2, 1}}, Keys{Ints: []uint64{2, 3, 2}}, w); err != nil {
			t.Fatal(err)
		}
		return b.Build(t.Context())
	}
	in, err := build("")
	if err != nil || in.Scale.Rounded != 3 || in.Scale.Merged != 2 || in.Scale.Rounding == 0 {
		t.Errorf("%+v, %v", in, err)
	}
	if _, err := build(question.RepeatsError); err == nil {
		t.Error("two lengths were taken for one")
	}
}

// A number has one hash, however it is written.
func TestHashOfLengths(t *testing.T) {
	w := wide([]*big.Int{big.NewInt(100), big.NewInt(1), big.NewInt(10), big.NewInt(11), big.NewInt(1)}, []int16{0, 2, 1, 1, 3})
	for i, same := range []bool{true, true, true, false, false} {
		if (w.hash(i) == w.hash(0)) != same {
			t.Errorf("row %d", i)
		}
	}
}
