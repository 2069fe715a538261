package preprocess

import (
	"math/big"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess/question"
)

// Decay says how much a pair of a block's vertices counts by the distance between them: its share, from 0 to 1, which is worked
// out from the distance alone, never along a path, so that it is the same on every way. It is read only.
type Decay struct {
	at     func(x float64) float64
	one    float64   // of what lengths are multiples of, or edges
	shares []float64 // by distance: the first

	spreads bool    // what begins at a source is spread over what it reaches: question.Gravity
	stay    float64 // in units of target masses
}

// decayTable is up to which distance shares are worked out once.
const decayTable = 1 << 20

// newDecay is for a question with lengths in some units; nil: all pairs count alike. limit is the largest distance with a share, or
// one that no path is as long as. No path is longer than farthest.
func newDecay(q question.Question, divisor, farthest int64) (d *Decay, limit int64) {
	if !q.Shares() {
		return nil, 0
	}
	one, _ := building.Scale{Unit: q.Lengths.Unit, Divisor: divisor}.One().Float64()
	d = &Decay{at: q.Decay.At(), one: one, spreads: q.Gravity != question.Gravity{}}
	if d.at == nil {
		d.at = func(float64) float64 { return 1 }
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
		for limit+1 < beyond { // by halves: shares fall
			if x := limit + (beyond-limit)/2; d.Share(x) > 0 {
				limit = x
			} else {
				beyond = x
			}
		}
	}
	for x := range min(limit+1, farthest+1, decayTable) {
		d.shares = append(d.shares, d.at(float64(x)*d.one))
	}
	return d, limit
}

// Share of a pair whose vertices are so far apart.
func (d *Decay) Share(distance int64) float64 {
	if distance < int64(len(d.shares)) {
		return d.shares[distance]
	}
	return d.at(float64(distance) * d.one)
}

// Near are the shares at distances from 0 on: all that were worked out once.
func (d *Decay) Near() []float64 { return d.shares }

// Seed is the target mass that a source at a distance sees of a vertex: To, of which Decay leaves a share.
func (b *Block) Seed(v uint32, distance int64) float64 {
	if b.Decay == nil {
		return b.To[v]
	}
	return b.To[v] * b.Decay.Share(distance)
}

// Sends is the source mass of a vertex that sees so much target mass in all, the sum of Seed over what it reaches: From,
// or, where all of that is spread over what it reaches, its part for each unit of target mass.
func (b *Block) Sends(source uint32, sees float64) float64 {
	switch {
	case b.Decay == nil || !b.Decay.spreads:
		return b.From[source]
	case sees == 0:
		return 0
	}
	return b.From[source] / (sees + b.Decay.stay)
}

// MostDecayed is the largest count of paths by which a share of a mass can be divided and keep all its digits.
const MostDecayed = 1e150
