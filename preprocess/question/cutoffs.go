package question

import (
	"fmt"
	"math/big"
	"sort"
	"strings"
)

// mostCutoffs is the largest number of cutoffs of a question: each has searches and columns of its own.
const mostCutoffs = 64

// cutoffs returns a comma-separated list of numbers in one spelling, ascending.
func cutoffs(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	parts := strings.Split(text, ",")
	if len(parts) > mostCutoffs {
		return "", fmt.Errorf("%d cutoffs: want at most %d", len(parts), mostCutoffs)
	}
	for i, part := range parts {
		number, err := decimal(strings.TrimSpace(part))
		if err == nil && number == "" {
			_, err = decimal("none")
		}
		if err != nil {
			return "", err
		}
		parts[i] = number
	}
	sort.Slice(parts, func(i, j int) bool { return value(parts[i]).Cmp(value(parts[j])) < 0 })
	for i, number := range parts[1:] {
		if number == parts[i] {
			return "", fmt.Errorf("%s twice", number)
		}
	}
	return strings.Join(parts, ","), nil
}

// value returns the value of a number that decimal has spelt.
func value(number string) *big.Rat {
	x, ok := new(big.Rat).SetString(number)
	if !ok {
		return new(big.Rat)
	}
	return x
}

// Cutoffs returns the numbers of Cutoff, ascending; none: any length counts. Each of several cutoffs is a question
// of its own. Its scores equal those of Within to the bit, in columns of their own.
func (q Question) Cutoffs() []string {
	if q.Cutoff == "" {
		return nil
	}
	return strings.Split(q.Cutoff, ",")
}

// Within returns the question for one of the cutoffs.
func (q Question) Within(cutoff string) Question {
	q.Cutoff = cutoff
	return q
}
