package building

import (
	"math/big"
	"strconv"
	"strings"

	"bcstage/internal/csr"
)

// Common returns a scale for the lengths of two graphs, which are then multiplied by the factors. ok is false if neither
// unit is a multiple of the other, or a factor has no room.
func (s Scale) Common(t Scale) (common Scale, factors [2]int64, ok bool) {
	if common.Unit = s.Unit; (Scale{Unit: t.Unit}).One().Cmp(Scale{Unit: s.Unit}.One()) < 0 {
		common.Unit = t.Unit
	}
	var wholes [2]*big.Int
	for i, scale := range [2]Scale{s, t} {
		one := scale.One()
		if one.Quo(one, Scale{Unit: common.Unit}.One()); !one.IsInt() {
			return Scale{}, factors, false
		}
		wholes[i] = one.Num()
	}
	divisor := new(big.Int).GCD(nil, nil, wholes[0], wholes[1])
	ok = divisor.IsInt64()
	common.Divisor = divisor.Int64()
	for i, whole := range wholes {
		factor := new(big.Int).Quo(whole, divisor)
		ok = ok && factor.IsInt64()
		factors[i] = factor.Int64()
	}
	return common, factors, ok
}

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
