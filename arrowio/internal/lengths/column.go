package lengths

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
)

// Type is a columnar input's storage of lengths.
type Type struct {
	Kind      Kind
	scale     int  // of decimals: digits after the point
	BigEndian bool // bytes of decimals
}

type Kind int

const (
	Signed Kind = iota
	Unsigned
	Float64
	Float32
	Decimal // two's complement in the column's bytes
	Text
)

// TypeNamed is the storage for Arrow's type with this name; for a dictionary, pass the name of
// its value type.
func TypeNamed(name string) (Type, error) {
	switch name {
	case "int8", "int16", "int32", "int64":
		return Type{Kind: Signed}, nil
	case "uint8", "uint16", "uint32", "uint64":
		return Type{Kind: Unsigned}, nil
	case "float64":
		return Type{Kind: Float64}, nil
	case "float32":
		return Type{Kind: Float32}, nil
	case "utf8", "string_view", "large_utf8":
		return Type{Kind: Text}, nil
	}
	var precision, scale int32
	for _, decimal := range []string{"decimal(%d, %d)", "decimal256(%d, %d)"} {
		if _, err := fmt.Sscanf(name, decimal, &precision, &scale); err == nil {
			return Type{Kind: Decimal}.WithScale(scale)
		}
	}
	return Type{}, NoType(name)
}

// WithScale is the type with `scale` digits after the point; a number beyond float64's range
// means a damaged file.
func (t Type) WithScale(scale int32) (Type, error) {
	const most = 1100
	if scale < -most || scale > most {
		return t, faults.Rejected("decimal lengths of scale %d; want %d to %d", scale, -most, most)
	}
	t.scale = int(scale)
	return t, nil
}

func NoType(name string) error {
	return faults.Rejected("lengths of type %s; want integers, float32, float64, decimals or text", name)
}

// Weights reads a column. Null rows get any length.
func (t Type) Weights(c *ids.Column) (w Weights, row int, err error) {
	rows := c.Len()
	w.Digits = make([]int64, 0, rows)
	for row := range rows {
		l := length{low: 1}
		if len(c.Null) == 0 || !c.Null[row] {
			if l, err = t.length(c, row); err != nil {
				return w, row, err
			}
		}
		add(&w, l)
	}
	return w, 0, nil
}

func (t Type) length(c *ids.Column, row int) (length, error) {
	switch t.Kind {
	case Float64:
		return shortest(math.Float64frombits(c.Ints[row]), 64)
	case Float32:
		return shortest(float64(math.Float32frombits(uint32(c.Ints[row]))), 32)
	case Text:
		return parseLength(c.Bytes[c.Offsets[row]:c.Offsets[row+1]])
	case Decimal:
		return t.decimal(c.Bytes[c.Offsets[row]:c.Offsets[row+1]])
	}
	x := c.Ints[row]
	if x == 0 || t.Kind == Signed && x > math.MaxInt64 {
		return length{}, noLength(strconv.FormatInt(int64(x), 10))
	}
	return length{low: x, exponent: -t.scale}.plainest(), nil
}

// decimal reads a number in two's complement.
func (t Type) decimal(number []byte) (length, error) {
	if !t.BigEndian {
		number = slices.Clone(number)
		slices.Reverse(number)
	}
	if len(number) == 0 {
		return length{}, faults.Corrupt("decimal number without bytes")
	}
	if number[0] >= 1<<7 {
		return length{}, faults.Rejected("length below 0; want a finite number above 0")
	}
	const wide = 16
	for len(number) > wide && number[0] == 0 {
		number = number[1:]
	}
	if len(number) > wide { // from a decimal256
		return parseLength(fmt.Appendf(nil, "%se%d", new(big.Int).SetBytes(number), -t.scale))
	}
	var digits [wide]byte
	copy(digits[wide-len(number):], number)
	l := length{high: binary.BigEndian.Uint64(digits[:8]), low: binary.BigEndian.Uint64(digits[8:]), exponent: -t.scale}
	if l.high == 0 && l.low == 0 {
		return l, noLength("0")
	}
	return l.plainest(), nil
}
