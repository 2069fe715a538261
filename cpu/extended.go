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
	paths := newPaths(b)
	delta := make([]float64, b.Vertices())
	for i, s := range sources {
		clear(delta)
		if err := paths.count(ctx, b, s); err != nil {
			return err
		}
		distance, sigma, order := paths.distance, paths.sigma, paths.order
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

// MostPaths says how many shortest paths lead from a source to the vertex to which
// most do: fewer than 2^exponent, and at least half as many.
func MostPaths(ctx context.Context, b *preprocess.Block, source uint32) (exponent int64, err error) {
	paths := newPaths(b)
	if err := paths.count(ctx, b, source); err != nil {
		return 0, err
	}
	for _, v := range paths.order {
		exponent = max(exponent, paths.sigma[v].exponent)
	}
	return exponent, nil
}

// paths from one source.
type paths struct {
	distance []int // -1: not reached
	sigma    []extended
	order    []uint32 // vertices reached, near ones first
}

func newPaths(b *preprocess.Block) *paths {
	n := b.Vertices()
	return &paths{make([]int, n), make([]extended, n), make([]uint32, 0, n)}
}

// count is the forward pass.
func (p *paths) count(ctx context.Context, b *preprocess.Block, s uint32) error {
	distance, sigma := p.distance, p.sigma
	for v := range distance {
		distance[v], sigma[v] = -1, extended{}
	}
	distance[s], sigma[s] = 0, extended{mantissa: 0.5, exponent: 1}
	order := append(p.order[:0], s)
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
	p.order = order
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
