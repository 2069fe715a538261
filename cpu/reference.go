package cpu

import (
	"context"

	"bcstage/cpu/internal/invariants"
	"bcstage/preprocess"
)

// Reference is the textbook algorithm, one source at a time, on the formulas of
// preprocess.Block: the oracle of every other engine, and never optimised.
//
//	U. Brandes, "A faster algorithm for betweenness centrality",
//	    Journal of Mathematical Sociology 25 (2001), algorithm 1
//	A. E. Sariyuce, E. Saule, K. Kaya, U. V. Catalyurek, "Shattering and
//	    compressing networks for betweenness centrality", SDM 2013 (weights)
//
// It adds to scores, by local vertex, and stores the self-check sums of
// sources[i] in got[i] and want[i]. Path counts beyond float64 show there as inf
// or NaN: use Extended. The only error is the context's.
func Reference(ctx context.Context, b *preprocess.Block, sources []uint32, scores, got, want []float64) error {
	n := b.Vertices()
	distance := make([]int, n)
	sigma := make([]float64, n)
	delta := make([]float64, n)
	order := make([]uint32, 0, n)
	for i, s := range sources {
		for v := range distance {
			distance[v], sigma[v], delta[v] = -1, 0, 0
		}
		distance[s], sigma[s] = 0, 1
		order = append(order[:0], s)
		for head := 0; head < len(order); head++ {
			if head%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			u := order[head]
			if u != s {
				sigma[u] *= multiplicity(b, u) // every predecessor has added to it by now
			}
			if preprocess.Invariants {
				if err := invariants.Paths(u, sigma[u]); err != nil {
					return err
				}
			}
			for _, v := range b.Neighbours(u) {
				if distance[v] < 0 {
					distance[v] = distance[u] + 1
					order = append(order, v)
				}
				if distance[v] == distance[u]+1 {
					sigma[v] += sigma[u]
				}
			}
		}
		got[i], want[i] = 0, 0
		for at := len(order) - 1; at > 0; at-- {
			if at%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			t := order[at]
			delta[t] *= sigma[t] // every successor has added to it by now
			scores[t] += b.From[s] * delta[t] / multiplicity(b, t)
			got[i] += delta[t]
			want[i] += b.To[t] * float64(distance[t]-1)
			c := (b.To[t] + delta[t]) * multiplicity(b, t) / sigma[t]
			for _, v := range b.Neighbours(t) {
				if distance[v] == distance[t]-1 {
					delta[v] += c
				}
			}
		}
	}
	return nil
}

// checkEvery is how many vertices pass between two looks at the context.
const checkEvery = 4096

// multiplicity of v: how many twins it stands for.
func multiplicity(b *preprocess.Block, v uint32) float64 {
	if b.Multiplicity == nil {
		return 1
	}
	return b.Multiplicity[v]
}
