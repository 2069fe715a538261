package lengths

import (
	"context"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// Masses is a column as decimal numbers of 0 or more: see KeptColumn.Masses. Nulls are errors, unless they are zero.
func Masses(ctx context.Context, name, of string, keys ids.Keys, null []bool, zero bool) (Weights, error) {
	typ, err := TypeNamed(of)
	if err != nil {
		return Weights{}, faults.Rejected("column %q: type %s; want integers, float32, float64, decimals or text", name, of)
	}
	rows := &ids.Column{Ints: keys.Ints, Bytes: keys.Bytes, Offsets: keys.Offsets}
	var masses Weights
	for row := range keys.Len() {
		if row%(1<<14) == 0 && ctx.Err() != nil {
			return Weights{}, context.Cause(ctx)
		}
		absent := len(null) > 0 && null[row]
		if absent && !zero {
			return Weights{}, faults.Advise(faults.Rejected("column %q: row %d: null; want a number of 0 or more", name, row+1), `Options.Nulls "drop" takes nulls as 0`)
		}
		var mass length
		if !absent && !typ.zero(rows, row) {
			if mass, err = typ.length(rows, row); err != nil {
				return Weights{}, faults.Rejected("column %q: row %d: %s is not a finite number of 0 or more", name, row+1, typ.text(rows, row))
			}
		}
		add(&masses, mass)
	}
	return masses, nil
}

// zero says whether a row is 0, of either sign.
func (t Type) zero(c *ids.Column, row int) bool {
	switch t.Kind {
	case Float64:
		return math.Float64frombits(c.Ints[row]) == 0
	case Float32:
		return math.Float32frombits(uint32(c.Ints[row])) == 0
	case Decimal:
		return strings.Trim(string(c.Bytes[c.Offsets[row]:c.Offsets[row+1]]), "\x00") == ""
	case Text:
		text := c.Bytes[c.Offsets[row]:c.Offsets[row+1]]
		if len(text) > 0 && text[0]-'1' < 9 { // most rows
			return false
		}
		mantissa, exponent, _ := strings.Cut(strings.ToLower(string(text)), "e")
		_, err := strconv.Atoi(exponent)
		digits := strings.Replace(strings.TrimLeft(mantissa, "+-"), ".", "", 1)
		return digits != "" && strings.Trim(digits, "0") == "" && len(mantissa)-len(strings.TrimLeft(mantissa, "+-")) <= 1 && (exponent == "" || err == nil)
	}
	return c.Ints[row] == 0
}

// text is a row, for an error.
func (t Type) text(c *ids.Column, row int) string {
	switch t.Kind {
	case Float64:
		return strconv.FormatFloat(math.Float64frombits(c.Ints[row]), 'g', -1, 64)
	case Float32:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(c.Ints[row]))), 'g', -1, 32)
	case Signed:
		return strconv.FormatInt(int64(c.Ints[row]), 10)
	case Unsigned:
		return strconv.FormatUint(c.Ints[row], 10)
	case Decimal:
		return t.decimalText(c.Bytes[c.Offsets[row]:c.Offsets[row+1]])
	}
	return faults.Quote(string(c.Bytes[c.Offsets[row]:c.Offsets[row+1]]))
}

// decimalText writes a number in two's complement, lowest byte first.
func (t Type) decimalText(number []byte) string {
	number = slices.Clone(number)
	slices.Reverse(number)
	digits := new(big.Int).SetBytes(number)
	if number[0] >= 1<<7 {
		digits.Sub(digits, new(big.Int).Lsh(big.NewInt(1), uint(8*len(number))))
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(t.scale, -t.scale))), nil)
	if t.scale < 0 {
		return digits.Mul(digits, ten).String()
	}
	return new(big.Rat).SetFrac(digits, ten).FloatString(t.scale)
}
