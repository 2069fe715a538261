package arrowio

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"
)

// Every numeric type is read as decimals, 0 of either sign is a mass, and other values are refused with
// their row.
func TestMassesOfEveryType(t *testing.T) {
	text := func(values ...string) tables.Keys {
		k := tables.Keys{Offsets: []int64{0}}
		for _, value := range values {
			k.Bytes = append(k.Bytes, value...)
			k.Offsets = append(k.Offsets, int64(len(k.Bytes)))
		}
		return k
	}
	decimal := func(x int64) string {
		n := decimal128.FromI64(x)
		var b [16]byte
		for i := range 8 {
			b[i], b[8+i] = byte(n.LowBits()>>(8*i)), byte(uint64(n.HighBits())>>(8*i))
		}
		return string(b[:])
	}
	float := func(x float64) uint64 { return math.Float64bits(x) }
	minus := func(x int64) uint64 { return uint64(x) }
	type column struct {
		typ       arrow.DataType
		keys      tables.Keys
		digits    []int64
		exponents []int16
		wrong     string
	}
	for name, c := range map[string]column{
		"int64":       {arrow.PrimitiveTypes.Int64, tables.Keys{Ints: []uint64{0, 7}}, []int64{0, 7}, nil, ""},
		"uint32":      {arrow.PrimitiveTypes.Uint32, tables.Keys{Ints: []uint64{5, 0}}, []int64{5, 0}, nil, ""},
		"below 0":     {arrow.PrimitiveTypes.Int32, tables.Keys{Ints: []uint64{0, minus(-2)}}, nil, nil, "row 2: -2 is"},
		"float64":     {arrow.PrimitiveTypes.Float64, tables.Keys{Ints: []uint64{float(math.Copysign(0, -1)), float(0.25)}}, []int64{0, 25}, []int16{0, -2}, ""},
		"nan":         {arrow.PrimitiveTypes.Float64, tables.Keys{Ints: []uint64{float(math.NaN())}}, nil, nil, "row 1: NaN is"},
		"inf":         {arrow.PrimitiveTypes.Float64, tables.Keys{Ints: []uint64{float(1), float(math.Inf(1))}}, nil, nil, "row 2: +Inf is"},
		"float32":     {arrow.PrimitiveTypes.Float32, tables.Keys{Ints: []uint64{uint64(math.Float32bits(0.1)), 0}}, []int64{1, 0}, []int16{-1, 0}, ""},
		"decimal":     {&arrow.Decimal128Type{Precision: 10, Scale: 2}, text(decimal(0), decimal(1250)), []int64{0, 125}, []int16{0, -1}, ""},
		"decimal < 0": {&arrow.Decimal128Type{Precision: 10, Scale: 2}, text(decimal(-1250)), nil, nil, "row 1: -12.50 is"},
		"text":        {arrow.BinaryTypes.String, text("-0.0", "1.5e3"), []int64{0, 1500}, nil, ""},
		"no number":   {arrow.BinaryTypes.String, text("1", "many"), nil, nil, `row 2: "many" is`},
		"dates":       {arrow.FixedWidthTypes.Date32, tables.Keys{Ints: []uint64{1}}, nil, nil, "type date32; want"},
	} {
		k := tables.KeptColumn{Name: "mass", Type: idtypes.Of(c.typ), KeptValues: tables.KeptValues{Keys: c.keys}}
		w, err := k.Masses(t.Context(), tables.NullsError)
		if c.wrong != "" {
			if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), `column "mass": `+c.wrong) {
				t.Errorf("%s: %v, want %s", name, err, c.wrong)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range c.digits {
			got, want := float64(w.Digits[i]), float64(c.digits[i])
			if w.Exponents != nil {
				got *= math.Pow10(int(w.Exponents[i]))
			}
			if c.exponents != nil {
				want *= math.Pow10(int(c.exponents[i]))
			}
			if math.Abs(got-want) > 1e-15*want {
				t.Errorf("%s: row %d is %v, want %v", name, i, got, want)
			}
		}
	}
	null := tables.KeptColumn{Name: "mass", Type: idtypes.Of(arrow.PrimitiveTypes.Int64), KeptValues: tables.KeptValues{Keys: tables.Keys{Ints: []uint64{1, 1}}, Null: slices.Repeat([]bool{false, true}, 1)}}
	if _, err := null.Masses(t.Context(), tables.NullsError); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), "row 2: null") {
		t.Errorf("null: %v", err)
	}
	if w, err := null.Masses(t.Context(), tables.NullsDrop); err != nil || !slices.Equal(w.Digits, []int64{1, 0}) {
		t.Errorf("null is dropped: %v, %v", w, err)
	}
}
