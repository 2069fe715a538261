package lengths

import (
	"context"
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// Masses is a column as decimal numbers of 0 or more: see KeptColumn.Masses.
func Masses(ctx context.Context, name string, of arrow.DataType, keys ids.Keys, null []bool) (Weights, error) {
	typ, err := TypeOf(of)
	if err != nil {
		return Weights{}, faults.Rejected("column %q: of type %s; want integers, float32, float64, decimals or text", name, of)
	}
	rows := &ids.Column{Ints: keys.Ints, Bytes: keys.Bytes, Offsets: keys.Offsets}
	var masses Weights
	for row := range keys.Len() {
		if row%(1<<14) == 0 && ctx.Err() != nil {
			return Weights{}, context.Cause(ctx)
		}
		if len(null) > 0 && null[row] {
			return Weights{}, faults.Rejected("column %q: row %d: null; want a number of 0 or more", name, row+1)
		}
		var mass length
		if !typ.zero(rows, row) {
			if mass, err = typ.length(rows, row); err != nil {
				return Weights{}, faults.Rejected("column %q: row %d: %s is not a number of 0 or more, and finite", name, row+1, typ.text(rows, row))
			}
		}
		add(&masses, mass)
	}
	return masses, nil
}

// zero tells whether a row is 0, of either sign.
func (t Type) zero(c *ids.Column, row int) bool {
	switch t.Kind {
	case Float64:
		return math.Float64frombits(c.Ints[row]) == 0
	case Float32:
		return math.Float32frombits(uint32(c.Ints[row])) == 0
	case Decimal:
		return strings.Trim(string(c.Bytes[c.Offsets[row]:c.Offsets[row+1]]), "\x00") == ""
	case Text:
		mantissa, exponent, _ := strings.Cut(strings.ToLower(string(c.Bytes[c.Offsets[row]:c.Offsets[row+1]])), "e")
		_, err := strconv.Atoi(exponent)
		digits := strings.Replace(strings.TrimLeft(mantissa, "+-"), ".", "", 1)
		return digits != "" && strings.Trim(digits, "0") == "" && len(mantissa)-len(strings.TrimLeft(mantissa, "+-")) <= 1 && (exponent == "" || err == nil)
	}
	return c.Ints[row] == 0
}

// text is a row for an error.
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
		return Decimal128(c.Bytes[c.Offsets[row]:c.Offsets[row+1]]).ToString(int32(t.scale))
	}
	return faults.Quote(string(c.Bytes[c.Offsets[row]:c.Offsets[row+1]]))
}

// Decimal128 reads 16 bytes in the order of Arrow's buffers.
func Decimal128(b []byte) decimal128.Num {
	return decimal128.New(int64(binary.NativeEndian.Uint64(b[8:])), binary.NativeEndian.Uint64(b))
}
