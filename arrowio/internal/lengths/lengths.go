// Package lengths reads lengths of edges, and masses of vertices, as exact decimal numbers.
//
// Flow: text by Parse, columns by Type.Weights and Masses; all append to Weights.
//
// Units: a row is Digits * 10^Exponents, of at most 38 digits; longer input is rounded and
// counted. Weights belong to the caller; Empty keeps their memory.
//
// Complexity: linear in the digits of a row.
package lengths

import (
	"bytes"
	"errors"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"bcstage/arrowio/internal/faults"
)

// Weights is a column of lengths, as decimal numbers: see tables.Weights.
type Weights struct {
	Digits    []int64
	Exponents []int16
	High      []int64

	Rounded int64   // rows that differ from the input
	Error   float64 // largest such difference
}

// Len is the number of rows.
func (w Weights) Len() int { return len(w.Digits) }

// length is one row of Weights.
type length struct {
	high, low uint64 // digits, as one number of 128 bits
	exponent  int
	lost      float64 // difference from the input
}

// add appends a row.
func add(w *Weights, l length) {
	if l.exponent != 0 && w.Exponents == nil {
		w.Exponents = make([]int16, len(w.Digits), cap(w.Digits))
	}
	if (l.high != 0 || l.low > math.MaxInt64) && w.High == nil {
		w.High = make([]int64, len(w.Digits), cap(w.Digits))
	}
	w.Digits = append(w.Digits, int64(l.low))
	if w.Exponents != nil {
		w.Exponents = append(w.Exponents, int16(l.exponent))
	}
	if w.High != nil {
		w.High = append(w.High, int64(l.high))
	}
	if l.lost != 0 {
		w.Rounded++
		w.Error = max(w.Error, l.lost)
	}
}

// Parse appends a row of text.
func Parse(w *Weights, text []byte) error {
	l, err := parseLength(text)
	if err == nil {
		add(w, l)
	}
	return err
}

// Keep moves the rows that are not dropped together.
func Keep(w *Weights, drop []bool) {
	w.Digits = kept(w.Digits, drop)
	w.Exponents = kept(w.Exponents, drop)
	w.High = kept(w.High, drop)
}

// kept drops the marked rows, in the same memory; nil stays nil.
func kept[T any](values []T, drop []bool) []T {
	if values == nil {
		return nil
	}
	count := 0
	for row, value := range values {
		if !drop[row] {
			values[count] = value
			count++
		}
	}
	return values[:count]
}

// Empty is w without rows, in the same memory.
func Empty(w Weights) Weights { return Weights{Digits: w.Digits[:0]} }

// noLength refuses a text that is not a length.
func noLength(text string) error {
	return faults.Rejected("length %s is not a finite number above 0", text)
}

// parseLength reads a decimal number above 0 such as 3, 0.25 or 1.5e-7.
func parseLength(text []byte) (length, error) {
	i, count, places := 0, 0, 0
	if i < len(text) && text[i] == '+' {
		i++
	}
	const most = 18 // digits that fit in an int64
	point, any := false, false
	digits := uint64(0)
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c-'0' <= 9:
			any = true
			if count > 0 || c != '0' {
				count++
			}
			if digits = digits*10 + uint64(c-'0'); count > most {
				return parseLongLength(text)
			}
			if point {
				places++
			}
			continue
		case c == '.' && !point:
			point = true
			continue
		}
		break
	}
	power := 0
	switch {
	case i < len(text) && any && text[i]|' ' == 'e':
		var err error
		if power, err = strconv.Atoi(string(text[i+1:])); err != nil || power > 280 || power < -280 {
			return parseLongLength(text)
		}
	case i < len(text) || !any:
		return parseLongLength(text) // which recognises the rest
	}
	if digits == 0 {
		return length{}, noLength(faults.Quote(string(text)))
	}
	if places > 280 {
		return parseLongLength(text)
	}
	return length{low: digits, exponent: power - places}.plainest(), nil
}

// plainest removes zeros at the end: those after the point, and all if the digits exceed an
// int64.
func (l length) plainest() length {
	for l.exponent < 0 || l.high != 0 || l.low > math.MaxInt64 {
		high, remainder := l.high/10, l.high%10
		low, rest := bits.Div64(remainder, l.low, 10)
		if rest != 0 {
			break
		}
		l.high, l.low, l.exponent = high, low, l.exponent+1
	}
	return l
}

// mostDigits is the number of digits kept of a length: those of a decimal128.
const mostDigits = 38

// parseLongLength reads a length of any number of digits, or returns its error.
func parseLongLength(text []byte) (length, error) {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(string(text), "xX_") {
		return length{}, faults.Rejected("length %s is not a number", faults.Quote(string(text)))
	}
	if !(x > 0) || math.IsInf(x, 1) {
		return length{}, noLength(faults.Quote(string(text)))
	}
	mantissa, power, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(string(text), "+")), "e")
	whole, places, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+places, "0")
	exponent, _ := strconv.Atoi(power) // ParseFloat has accepted it
	l := length{exponent: exponent - len(places)}
	beyond := ""
	if len(all) > mostDigits {
		all, beyond = all[:mostDigits], all[mostDigits:]
		l.exponent += len(beyond)
	}
	for _, c := range all {
		l.timesTen(uint64(c - '0'))
	}
	if strings.Trim(beyond, "0") != "" {
		part, _ := strconv.ParseFloat("0."+beyond, 64) // of a unit
		if part >= 0.5 {
			part = 1 - part
			l.plus(1)
		}
		l.lost = part * math.Pow10(l.exponent)
		if l.lost == 0 { // too small for a float64, but still lost
			l.lost = math.SmallestNonzeroFloat64
		}
	}
	return l.plainest(), nil
}

// timesTen appends a digit.
func (l *length) timesTen(digit uint64) {
	high, low := bits.Mul64(l.low, 10)
	l.high, l.low = l.high*10+high, low
	l.plus(digit)
}

func (l *length) plus(x uint64) {
	low, carry := bits.Add64(l.low, x, 0)
	l.high, l.low = l.high+carry, low
}

// shortest is the decimal number of fewest digits that reads as x, a float of `bits` bits.
func shortest(x float64, bits int) (length, error) {
	switch {
	case !(x > 0) || math.IsInf(x, 1):
		return length{}, noLength(strconv.FormatFloat(x, 'g', -1, bits))
	case x < 1<<53 && x == math.Trunc(x):
		return length{low: uint64(x)}, nil
	}
	var room [32]byte
	mantissa, power, _ := bytes.Cut(strconv.AppendFloat(room[:0], x, 'e', -1, bits), []byte{'e'})
	digits := uint64(0)
	for _, c := range mantissa {
		if c != '.' {
			digits = digits*10 + uint64(c-'0')
		}
	}
	places := max(len(mantissa)-len("1."), 0)
	whole, _ := strconv.Atoi(string(power)) // of at most three digits
	return length{low: digits, exponent: whole - places}.plainest(), nil
}

// Attribute is the attribute "weight" in NetworkX's text for an edge, such as {'weight': 2.5,
// 'name': 'a'}; nil: none.
func Attribute(text []byte) []byte {
	for _, key := range []string{"'weight':", `"weight":`} {
		if _, value, found := strings.Cut(string(text), key); found {
			if end := strings.IndexAny(value, ",}"); end >= 0 {
				value = value[:end]
			}
			return []byte(strings.Trim(value, " \t"))
		}
	}
	return nil
}
