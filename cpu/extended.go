package cpu

import (
	"context"
	"math"

	"bcstage/cpu/internal/invariants"
	"bcstage/preprocess"
)

// Extended is Reference for graphs whose path counts pass float64 (a 516 x 516
// grid has more than 2^1024 shortest paths between two corners): each count is
// a mantissa and a separate 64-bit exponent. Only ratios of counts enter the
// scores, and those are ordinary numbers, so nothing here becomes inf or NaN.
func Extended(ctx context.Context, b *preprocess.Block, sources []uint32, scores, got, want []float64) error {
	n := b.Vertices()
	distance := make([]int, n)
	sigma := make([]extended, n)
	delta := make([]float64, n)
	order := make([]uint32, 0, n)
	for i, s := range sources {
		for v := range distance {
			distance[v], sigma[v], delta[v] = -1, extended{}, 0
		}
		distance[s], sigma[s] = 0, extended{mantissa: 0.5, exponent: 1}
		order = append(order[:0], s)
		for head := 0; head < len(order); head++ {
			if head%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			u := order[head]
			if u != s {
				sigma[u] = sigma[u].times(multiplicity(b, u))
			}
			if preprocess.Invariants {
				if err := invariants.Paths(u, scale(sigma[u].mantissa, min(sigma[u].exponent, 1))); err != nil {
					return err
				}
			}
			for _, v := range b.Neighbours(u) {
				if distance[v] < 0 {
					distance[v] = distance[u] + 1
					order = append(order, v)
				}
				if distance[v] == distance[u]+1 {
					sigma[v] = sigma[v].plus(sigma[u])
				}
			}
		}
		got[i], want[i] = 0, 0
		for at := len(order) - 1; at > 0; at-- {
			if at%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			t := order[at]
			scores[t] += b.From[s] * delta[t] / multiplicity(b, t)
			got[i] += delta[t]
			want[i] += b.To[t] * float64(distance[t]-1)
			d := (b.To[t] + delta[t]) * multiplicity(b, t)
			for _, v := range b.Neighbours(t) {
				if distance[v] == distance[t]-1 {
					delta[v] += d * sigma[v].over(sigma[t])
				}
			}
		}
	}
	return nil
}

// extended is mantissa * 2^exponent with 0.5 <= mantissa < 1, or all zero.
type extended struct {
	mantissa float64
	exponent int64
}

func (a extended) plus(b extended) extended {
	if a.mantissa == 0 {
		return b
	}
	if a.exponent < b.exponent {
		a, b = b, a
	}
	return extended{a.mantissa + scale(b.mantissa, b.exponent-a.exponent), a.exponent}.normal()
}

func (a extended) times(x float64) extended {
	return extended{a.mantissa * x, a.exponent}.normal()
}

// over is a/b for a <= b*2^1000; it rounds to zero below the float64 range.
func (a extended) over(b extended) float64 {
	return scale(a.mantissa/b.mantissa, a.exponent-b.exponent)
}

func (a extended) normal() extended {
	mantissa, shift := math.Frexp(a.mantissa)
	return extended{mantissa, a.exponent + int64(shift)}
}

// scale is x * 2^exponent; the clamp keeps the exponent within an int.
func scale(x float64, exponent int64) float64 {
	return math.Ldexp(x, int(max(exponent, math.MinInt32)))
}
