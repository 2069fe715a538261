package lengths

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio/internal/faults"
)

// FuzzLength compares lengths read as decimal digits with strconv, bit by bit.
func FuzzLength(f *testing.F) {
	for _, text := range []string{"1", "0.1", "1e3", "12345678901234567890", "0.000000000000000000001", "+5.", ".5e-2", "0", "-1", "1e999", "1e-300", "1e281", "5e-324", "1_0", "0x1p-2", "nan"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseLength([]byte(text))
		x, failed := strconv.ParseFloat(text, 64)
		if err != nil {
			if !errors.Is(err, faults.ErrInput) {
				t.Error(err)
			}
			if failed == nil && x > 0 && !math.IsInf(x, 1) && !strings.ContainsAny(text, "xX_") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		digits := new(big.Int).Lsh(new(big.Int).SetUint64(l.high), 64)
		digits.Add(digits, new(big.Int).SetUint64(l.low))
		exact, ok := new(big.Rat).SetString(text)
		if !ok || len(text) > 1000 {
			return
		}
		lost := new(big.Rat).SetInt(digits)
		power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(l.exponent, -l.exponent))), nil))
		if l.exponent < 0 {
			power.Inv(power)
		}
		lost.Sub(lost.Mul(lost, power), exact).Abs(lost)
		if digits.Sign() < 1 || (lost.Sign() == 0) != (l.lost == 0) || lost.Cmp(power) >= 0 {
			t.Errorf("%q: %s e%d, %v lost, want %s (%v)", text, digits, l.exponent, l.lost, lost, x)
		}
	})
}
