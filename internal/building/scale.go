package building

import (
	"math/big"
	"strconv"
	"strings"

	"bcstage/internal/csr"
)

// One returns the exact value of 1 in the graph's lengths; 1 where edges have none.
func (s Scale) One() *big.Rat {
	one := new(big.Rat).SetInt64(max(s.Divisor, 1))
	base, exponent, some := strings.Cut(s.Unit, "^")
	if !some {
		return one
	}
	number, _ := strconv.ParseInt(base, 10, 64) // as the Builder writes it
	power, _ := strconv.ParseInt(exponent, 10, 64)
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(number), big.NewInt(max(power, -power)), nil))
	if power < 0 {
		return one.Quo(one, unit)
	}
	return one.Mul(one, unit)
}

// Whole returns a decimal number, as in question.Question.Cutoff, rounded down to
// the unit of searches: edges, or the graph's lengths. fits is false if no path is
// as long.
func (s Scale) Whole(decimal string) (most int64, fits bool) {
	limit, ok := new(big.Rat).SetString(decimal)
	if !ok {
		return 0, false
	}
	limit.Quo(limit, s.One())
	whole := new(big.Int).Quo(limit.Num(), limit.Denom())
	if !whole.IsInt64() || whole.Int64() >= 1<<csr.LongestPath {
		return 0, false
	}
	return whole.Int64(), true
}
