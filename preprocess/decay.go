package preprocess

import (
	"math/big"
	"strings"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess/question"
)

// Farthest returns the largest distance of a pair that counts, in the unit of the question's lengths times the divisor, from
// its cutoff and its shares; 0: any distance may count.
func Farthest(q question.Question, divisor int64) (most int64) {
	if q.Cutoff != "" {
		most, _ = building.Scale{Unit: q.Lengths.Unit, Divisor: divisor}.Whole(q.Cutoff)
	}
	if _, limit := newDecay(q, divisor, 0); most == 0 || limit > 0 && limit < most {
		most = limit
	}
	return most
}

// newDecay returns the Decay of a question with lengths in some unit, or nil if all pairs count alike. The limit is
// the largest distance with a share, or one that no path is as long as. No path is longer than farthest.
func newDecay(q question.Question, divisor, farthest int64) (d *decay, limit int64) {
	if !q.Shares() {
		return nil, 0
	}
	one, _ := building.Scale{Unit: q.Lengths.Unit, Divisor: divisor}.One().Float64()
	d = &decay{at: q.Decay.At(), one: one, most: q.Decay.Most(one), products: strings.HasPrefix(q.Decay.Share, "exp:"), spreads: q.Gravity != question.Gravity{}}
	if d.at == nil {
		d.at, d.alike = func(float64) float64 { return 1 }, true
	}
	if q.Parts() {
		d.ratio = d.at(one)
	}
	if stay := new(big.Rat).SetFloat64(q.Gravity.Stay); stay != nil {
		d.stay, _ = stay.Quo(stay, building.Scale{Unit: q.Destinations.Unit}.One()).Float64()
	}
	beyond := int64(1) << csr.LongestPath
	if last, some := q.Decay.Last(); some {
		if limit = beyond; last/one < float64(beyond) {
			limit = int64(last/one) + 1 // rounded
		}
	} else {
		for limit+1 < beyond { // by bisection: shares fall
			if x := limit + (beyond-limit)/2; d.Share(x) > 0 {
				limit = x
			} else {
				beyond = x
			}
		}
	}
	d.shares = make([]float64, min(limit+1, farthest+1, decayTable))
	for x := range d.shares {
		d.shares[x] = d.at(float64(x) * d.one)
	}
	return d, limit
}
