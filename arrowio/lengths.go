package arrowio

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
)

// Weights is the column of lengths of a batch, as decimal numbers, which is how
// people and most tables write them: row i is Digits[i] * 10^Exponents[i], Digits
// at least 1. Exponents is nil if all are 0. A number of more than 18 digits is that
// of the nearest float64, and a float64 is the shortest decimal number that reads
// as the same.
type Weights struct {
	Digits    []int64
	Exponents []int16
}

// Len is the number of rows.
func (w Weights) Len() int { return len(w.Digits) }

// add appends a row.
func (w *Weights) add(digits int64, exponent int16) {
	if exponent != 0 && w.Exponents == nil {
		w.Exponents = make([]int16, len(w.Digits), cap(w.Digits))
	}
	w.Digits = append(w.Digits, digits)
	if w.Exponents != nil {
		w.Exponents = append(w.Exponents, exponent)
	}
}

// parse appends a row of text.
func (w *Weights) parse(text []byte) error {
	digits, exponent, err := parseLength(text)
	if err == nil {
		w.add(digits, exponent)
	}
	return err
}

// keep moves the rows that are not dropped together.
func (w *Weights) keep(drop []bool) {
	kept := 0
	for row, digits := range w.Digits {
		if drop[row] {
			continue
		}
		w.Digits[kept] = digits
		if w.Exponents != nil {
			w.Exponents[kept] = w.Exponents[row]
		}
		kept++
	}
	w.Digits = w.Digits[:kept]
	if w.Exponents != nil {
		w.Exponents = w.Exponents[:kept]
	}
}

// empty is w without rows, in the same memory.
func (w Weights) empty() Weights { return Weights{w.Digits[:0], nil} }

// noLength refuses what is no length.
func noLength(text string) error {
	return rejected("length %s: want a number above 0, and finite", text)
}

// parseLength reads a decimal number above 0 such as 3, 0.25 or 1.5e-7.
func parseLength(text []byte) (digits int64, exponent int16, err error) {
	i, count, places := 0, 0, 0
	if i < len(text) && text[i] == '+' {
		i++
	}
	const most = 18 // digits that an int64 has room for
	point, any := false, false
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case c-'0' <= 9:
			any = true
			if count > 0 || c != '0' {
				count++
			}
			if digits = digits*10 + int64(c-'0'); count > most {
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
		if power, err = strconv.Atoi(string(text[i+1:])); err != nil || power > 280 || power < -280 {
			return parseLongLength(text)
		}
	case i < len(text) || !any:
		return parseLongLength(text) // which knows what it is
	}
	if digits == 0 {
		return 0, 0, noLength(quote(string(text)))
	}
	if places > 280 {
		return parseLongLength(text)
	}
	digits, exponent = plainest(digits, power-places)
	return digits, exponent, nil
}

// plainest writes digits * 10^exponent without zeros behind the point.
func plainest(digits int64, exponent int) (int64, int16) {
	for exponent < 0 && digits%10 == 0 {
		digits /= 10
		exponent++
	}
	return digits, int16(exponent)
}

// parseLongLength reads a length by way of float64, or says what else it is.
func parseLongLength(text []byte) (digits int64, exponent int16, err error) {
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(string(text), "xX_") {
		return 0, 0, rejected("length %s is not a number", quote(string(text)))
	}
	if !(x > 0) || math.IsInf(x, 1) {
		return 0, 0, noLength(quote(string(text)))
	}
	return shortest(x, 64)
}

// shortest is the decimal number of fewest digits that reads as x, of so many bits.
func shortest(x float64, bits int) (digits int64, exponent int16, err error) {
	switch {
	case !(x > 0) || math.IsInf(x, 1):
		return 0, 0, noLength(strconv.FormatFloat(x, 'g', -1, bits))
	case x < 1<<53 && x == math.Trunc(x):
		return int64(x), 0, nil
	}
	var room [32]byte
	mantissa, power, _ := bytes.Cut(strconv.AppendFloat(room[:0], x, 'e', -1, bits), []byte{'e'})
	for _, c := range mantissa {
		if c != '.' {
			digits = digits*10 + int64(c-'0')
		}
	}
	places := max(len(mantissa)-len("1."), 0)
	whole, _ := strconv.Atoi(string(power)) // of at most three digits
	digits, exponent = plainest(digits, whole-places)
	return digits, exponent, nil
}

// attribute is the value of the attribute "weight" in what NetworkX writes of an
// edge, such as {'weight': 2.5, 'name': 'a'}; nil: there is none.
func attribute(text []byte) []byte {
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

// nameless is the name of weights that have none.
const nameless = "value"

// heedless tells whether a column may look like weights without being them.
func (o *Options) heedless() bool { return o.IgnoreWeight || o.Weight != "" }

// checkNameless refuses a name for the weights of a format that has none.
func (o *Options) checkNameless() error {
	if o.Weight != nameless && o.Weight != "3" {
		return advise(rejected("no column %q: the weights of this format have no name", o.Weight), `Options.Weight "value" reads them`)
	}
	return nil
}

// unweighted is the error of an input without the weights that are asked for.
func unweighted(format string, args ...any) error {
	return advise(rejected(format, args...), "without Options.Weight all edges are equally long")
}
