package building

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// decimal is digits * 10^exponent.
type decimal struct {
	digits   int64
	exponent int16
}

func (d decimal) rat() *big.Rat {
	x := new(big.Rat).SetInt64(d.digits)
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(d.exponent, -d.exponent))), nil))
	if d.exponent < 0 {
		return x.Quo(x, power)
	}
	return x.Mul(x, power)
}

// weighted builds a graph of edges with lengths, in batches of a few rows.
func weighted(t *testing.T, edges []testgraphs.Edge, lengths []decimal, repeats string, threads int) (*Input, error) {
	t.Helper()
	b := NewBuilder(threads)
	b.Repeats = repeats
	for at := 0; at < len(edges); at += 3 {
		var src, dst Keys
		var w Weights
		for i := at; i < min(at+3, len(edges)); i++ {
			src.Ints, dst.Ints = append(src.Ints, uint64(edges[i][0])), append(dst.Ints, uint64(edges[i][1]))
			w.Digits, w.Exponents = append(w.Digits, lengths[i].digits), append(w.Exponents, lengths[i].exponent)
		}
		if err := b.AddWeightedEdges(src, dst, w); err != nil {
			return nil, err
		}
	}
	return b.Build(t.Context())
}

// TestBuildLengths compares every length, times its unit and divisor, with the
// given number, in fractions.
func TestBuildLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 2000 / testgraphs.OneIn {
		n := 2 + r.IntN(9)
		var edges []testgraphs.Edge
		var lengths []decimal
		places, top := r.IntN(4), int64(1+r.IntN(60))
		for range r.IntN(30) {
			edges = append(edges, testgraphs.Edge{r.Uint32N(uint32(n)), r.Uint32N(uint32(n))})
			lengths = append(lengths, decimal{1 + r.Int64N(top), int16(-r.IntN(places + 1))})
		}
		repeats := []string{"", question.RepeatsSum}[r.IntN(2)]
		in, err := weighted(t, edges, lengths, repeats, 1+r.IntN(3))
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Graph.Check(); err != nil {
			t.Fatal(err)
		}
		number := make(map[uint64]uint32)
		for v, id := range in.IDs.Ints {
			number[id] = uint32(v)
		}
		want, differ := make(map[testgraphs.Edge]*big.Rat), make(map[testgraphs.Edge]bool)
		first := make(map[testgraphs.Edge]*big.Rat)
		for i, e := range edges {
			u, v := number[uint64(e[0])], number[uint64(e[1])]
			if u == v {
				continue
			}
			key, length := testgraphs.Edge{min(u, v), max(u, v)}, lengths[i].rat()
			switch {
			case want[key] == nil:
				want[key], first[key] = length, length
				continue
			case repeats == question.RepeatsSum:
				want[key] = new(big.Rat).Add(want[key], length)
			case length.Cmp(want[key]) < 0:
				want[key] = length
			}
			if first[key].Cmp(length) != 0 {
				differ[key] = true
			}
		}
		if len(want) == 0 {
			continue
		}
		unit := big.NewRat(1, 1)
		if in.Scale.Unit != "" {
			k := int64(in.Scale.Unit[len("10^-")] - '0')
			unit.SetFrac64(1, int64(math.Pow10(int(k))))
		}
		unit.Mul(unit, new(big.Rat).SetInt64(in.Scale.Divisor))
		var all []int64
		for key, length := range want {
			got := int64(1)
			if in.Graph.Lengths != nil {
				at, _ := slices.BinarySearch(in.Graph.Neighbours(key[0]), key[1])
				got = in.Graph.Lengths[in.Graph.Offsets[key[0]]+int64(at)]
			}
			all = append(all, got)
			if x := new(big.Rat).Mul(unit, new(big.Rat).SetInt64(got)); x.Cmp(length) != 0 {
				t.Fatalf("%v %v: edge %v is %s long, want %s (%+v)", edges, lengths, key, x, length, in.Scale)
			}
		}
		common := int64(0)
		for _, x := range all {
			common = wholes.Divisor(x, common)
		}
		if common != 1 || (slices.Min(all) == slices.Max(all)) != (in.Graph.Lengths == nil) {
			t.Fatalf("lengths %v, stored %v", all, in.Graph.Lengths != nil)
		}
		if in.Scale.Differ != int64(len(differ)) || in.Scale.Rounding != 0 {
			t.Fatalf("%+v, %d edges have other repeats", in.Scale, len(differ))
		}
	}
}

// Numbers too far apart for whole numbers of 10^-k are rounded to 2^-k, and no
// path may be too long for an int64.
func TestBuildLengthsRounds(t *testing.T) {
	edges := []testgraphs.Edge{{0, 1}, {1, 2}, {2, 3}}
	in, err := weighted(t, edges, []decimal{{1234567890123456, -22}, {2, 0}, {3, 0}}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	// 9 is less than 2^4: 2^-(61-4).
	if s := in.Scale; s.Unit != "2^-57" || s.Rounding == 0 || s.Rounding > math.Ldexp(1, -58) || s.Merged != 0 {
		t.Errorf("%+v", s)
	}
	if longest := slices.Max(in.Graph.Lengths) * in.Scale.Divisor; longest != 3<<57 {
		t.Errorf("longest %d", longest)
	}
	// The unit is 2: both 5.1 and 5.9 become 6.
	in, err = weighted(t, edges, []decimal{{1, 18}, {51, -1}, {59, -1}}, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	if s := in.Scale; s.Unit != "2^1" || s.Merged != 1 || math.Abs(s.Rounding-0.9) > 1e-12 {
		t.Errorf("%+v", s)
	}
}

func TestBuildLengthsRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		lengths []decimal
		repeats string
		want    string
	}{
		"zero":      {[]decimal{{0, 0}, {1, 0}, {1, 0}, {1, 0}}, "", "0 at row 0"},
		"negative":  {[]decimal{{1, 0}, {1, 0}, {1, 0}, {-1, 0}}, "", "-1 at row 0"},
		"too small": {[]decimal{{1, 18}, {1, -9}, {1, 0}, {1, 0}}, "", "edge 1"},
		"infinite":  {[]decimal{{1, 400}, {1, 0}, {1, 0}, {1, 0}}, "", "up to +Inf, and a path of 3 edges may be longer than the largest number"},
		"too long":  {[]decimal{{17, 307}, {1, 0}, {1, 0}, {1, 0}}, "", "up to 1.7e+308, and a path of 3 edges"},
		"repeat":    {[]decimal{{15, -1}, {1, 0}, {1, 0}, {1, 0}}, question.RepeatsError, "edge 3: 1, and 1.5 before"},
	} {
		_, err := weighted(t, []testgraphs.Edge{{0, 1}, {1, 2}, {2, 3}, {1, 0}}, c.lengths, c.repeats, 1)
		if !errors.Is(err, ErrLengths) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	b := NewBuilder(1)
	one := Keys{Ints: []uint64{1}}
	if err := errors.Join(b.AddEdges(one, one), b.AddWeightedEdges(one, one, Weights{Digits: []int64{1}})); !errors.Is(err, ErrLengths) {
		t.Errorf("only the second edge has a length: %v", err)
	}
	b = NewBuilder(1)
	if err := errors.Join(b.AddWeightedEdges(one, one, Weights{Digits: []int64{1}}), b.AddEdges(one, one)); !errors.Is(err, ErrLengths) {
		t.Errorf("only the first edge has a length: %v", err)
	}
}

// Building ends with its context, whenever that ends.
func TestBuildLengthsStops(t *testing.T) {
	b := func() *Builder {
		b := NewBuilder(2)
		var src, dst Keys
		var w Weights
		for i := range 60000 {
			src.Ints, dst.Ints, w.Digits = append(src.Ints, uint64(i)), append(dst.Ints, uint64(i*7%50000)), append(w.Digits, int64(i%13+1))
		}
		if err := b.AddWeightedEdges(src, dst, w); err != nil {
			t.Fatal(err)
		}
		return b
	}
	for k := 1; ; k += testending.Stride(k) {
		ctx := testending.After(context.Background(), k)
		in, err := b().Build(ctx)
		if err == nil {
			return
		}
		if in != nil || !errors.Is(err, context.Canceled) {
			t.Fatalf("question %d: %v", k, err)
		}
	}
}
