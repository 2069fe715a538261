package preprocess

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Masses times their unit are the written numbers where the total fits 2^53 - 1, else within the stated error, in any
// order.
func TestMassUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	rounded := 0
	for range 2000 {
		rows := 1 + r.IntN(30)
		digits, spread := r.IntN(18), r.IntN(12)
		var w building.Weights
		for range rows {
			w.Digits, w.Exponents = append(w.Digits, r.Int64N(int64(math.Pow10(digits)))), append(w.Exponents, int16(r.IntN(1+spread)-6))
		}
		u, err := building.MassUnitsOf(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		unit, total, all := building.Scale{Unit: u.Unit}.One(), int64(0), new(big.Rat)
		for i, mass := range u.Masses {
			total += mass
			ten := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(w.Exponents[i], -w.Exponents[i]))), nil))
			want := new(big.Rat).SetInt64(w.Digits[i])
			if w.Exponents[i] < 0 {
				want.Quo(want, ten)
			} else {
				want.Mul(want, ten)
			}
			all.Add(all, want)
			off := want.Sub(want, new(big.Rat).Mul(unit, new(big.Rat).SetInt64(mass)))
			if lost, _ := off.Abs(off).Float64(); lost > u.Error || lost > 0 && u.Rounded == 0 {
				t.Fatalf("mass %de%d became %d of %q, off by %v; said: %v", w.Digits[i], w.Exponents[i], mass, u.Unit, lost, u.Error)
			}
		}
		if total != u.Total || total > building.MostMass || total < 0 {
			t.Fatalf("sum %d, said to be %d", total, u.Total)
		}
		if u.Rounded > 0 {
			rounded++
			sum, _ := all.Quo(all, unit).Float64()
			if sum < 1<<44 {
				t.Fatalf("rounded to %q, %v of which are all masses: too coarse", u.Unit, sum)
			}
		}
		order := r.Perm(rows)
		var shuffled building.Weights
		for _, i := range order {
			shuffled.Digits, shuffled.Exponents = append(shuffled.Digits, w.Digits[i]), append(shuffled.Exponents, w.Exponents[i])
		}
		again, err := building.MassUnitsOf(t.Context(), shuffled)
		if err != nil || again.Unit != u.Unit || again.Total != u.Total || again.Rounded != u.Rounded || again.Error != u.Error {
			t.Fatalf("%+v, in another order %+v: %v", u, again, err)
		}
		for i, at := range order {
			if again.Masses[i] != u.Masses[at] {
				t.Fatalf("mass %d, in another order %d", u.Masses[at], again.Masses[i])
			}
		}
	}
	if rounded < 100 || rounded > 1900 {
		t.Errorf("%d of 2000 columns were rounded", rounded)
	}
	far, err := building.MassUnitsOf(t.Context(), building.Weights{Digits: []int64{1, 1}, Exponents: []int16{300, -300}})
	if err != nil || far.Masses[0] == 0 || far.Masses[1] != 0 || far.Rounded == 0 || far.Error > 1e285 {
		t.Errorf("%+v, %v", far, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := building.MassUnitsOf(ended, building.Weights{Digits: []int64{1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}

// Sources are not merged with others of their out-set that far outweigh them: the rest of a waived mass would have no
// digits.
func TestHeavySourcesAreNotMerged(t *testing.T) {
	// 1 to 8 have the out-arcs to 9 and 10, and paths return to them.
	var arcs []testgraphs.Edge
	for v := uint32(1); v < 9; v++ {
		arcs = append(arcs, testgraphs.Edge{v, 9}, testgraphs.Edge{v, 10}, testgraphs.Edge{0, v})
	}
	g := digraphOf(11, append(arcs, testgraphs.Edge{9, 0}, testgraphs.Edge{10, 0}))
	for heavy, merged := range map[int64]bool{1: true, 9: true, 4000: true, 1 << 40: false} {
		opts := Options{Question: question.Question{Directed: true, Origins: question.Masses{Column: "a"}}, Origins: slices.Repeat([]int64{1}, 11)}
		opts.Origins[3] = heavy
		opts.Question.Origins.Total = 10 + heavy
		p, err := Reduce(t.Context(), g, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(p.Blocks, func(b Block) bool { return b.Waived != nil }); got != merged {
			t.Errorf("a source of mass %d among 8: merged: %t, want %t", heavy, got, merged)
		}
	}
}

// Options whose masses are not those of the question are refused.
func TestMassesAreChecked(t *testing.T) {
	g := graphOf(3, testgraphs.Path(0, 2))
	for name, opts := range map[string]Options{
		"none":      {Question: question.Question{Origins: question.Masses{Column: "a"}}},
		"unasked":   {Destinations: []int64{1, 1, 1}},
		"too few":   {Question: question.Question{Origins: question.Masses{Column: "a", Total: 2}}, Origins: []int64{1, 1}},
		"negative":  {Question: question.Question{Origins: question.Masses{Column: "a", Total: 1}}, Origins: []int64{1, -1, 1}},
		"too much":  {Question: question.Question{Origins: question.Masses{Column: "a", Total: building.MostMass + 1}}, Origins: []int64{building.MostMass, 1, 0}},
		"other sum": {Question: question.Question{Destinations: question.Masses{Column: "a", Total: 4}}, Destinations: []int64{1, 1, 1}},
	} {
		if _, err := Reduce(t.Context(), g, opts); !errors.Is(err, errOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
