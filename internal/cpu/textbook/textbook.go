// Package textbook is the textbook algorithm, one source at a time, with path counts of any size: the oracle of every
// engine, and the rescue of batches that overflow. It shares no code with the engines.
package textbook

import (
	"context"
	"slices"

	"bcstage/internal/engine"
	"bcstage/preprocess"
)

// Scores is the textbook algorithm, one source at a time, on the formulas of
// preprocess.Block. It is the oracle of every other engine, and never optimised. It also
// computes graphs whose path counts pass float64: a 516 x 516 grid has more than
// 2^1024 shortest paths between two corners. Only ratios of counts enter the
// scores, and the ratios are ordinary numbers.
//
//	U. Brandes, "A faster algorithm for betweenness centrality",
//	    Journal of Mathematical Sociology 25 (2001), algorithm 1
//	A. E. Sariyuce, E. Saule, K. Kaya, U. V. Catalyurek, "Shattering and
//	    compressing networks for betweenness centrality", SDM 2013 (masses)
//
// Arcs may have directions and lengths: with lengths the search is Dijkstra's, and
// the self-check that of preprocess.Block for lengths.
//
// Scores adds to scores, by local vertex, and stores the self-check sums of
// sources[i] in got[i] and want[i]. The only errors are the context's and, with
// invariants.On, a broken invariant.
func Scores(ctx context.Context, b *preprocess.Block, sources []uint32, scores, got, want []float64) error {
	return Result(ctx, b, sources, &engine.Result{Scores: scores, Got: got, Want: want})
}

// Result is Scores for a whole result. If both the block and the result have Flows,
// it also adds to the Flows and to the two sides of their check.
func Result(ctx context.Context, b *preprocess.Block, sources []uint32, of *engine.Result) error {
	scores, got, want := of.Scores, of.Got, of.Want
	flows := b.HasFlows() && of.Flows != nil
	paths := newPaths(b)
	delta := make([]float64, b.Vertices())
	waived := make(map[uint32]float64)
	in := b.Reverse()
	for i, s := range sources {
		clear(delta)
		if err := paths.search(ctx, b, s); err != nil {
			return err
		}
		clear(waived)
		for _, x := range b.WaivedBy(s) {
			waived[x.Target] = x.Mass
		}
		distance, sigma, order := paths.distance, paths.sigma, paths.order
		from, spread := b.From[s], 1.0
		if b.Decay != nil {
			sees, access := reached(b, distance, order)
			if b.HasDraws() {
				spread = b.Spread(sees)
			}
			if from = b.Sends(s, sees, scores); b.Access {
				of.Access = append(of.Access, access)
			}
			if b.Sees {
				of.Sees = append(of.Sees, sees)
			}
		}
		if got[i], want[i] = 0, 0; b.Hung != nil && of.Arrives == nil {
			of.Arrives = make([]float64, b.Vertices())
		}
		if b.Relative() {
			got[i], want[i] = b.To[s], b.To[s]
		}
		for at := len(order) - 1; at > 0; at-- {
			if at%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			t := order[at]
			mass := b.Seed(t, distance[t])*spread - waived[t]
			dependency, weight := delta[t], mass
			if b.Linear {
				dependency *= 2 * float64(distance[t])
				weight /= float64(distance[t])
			}
			scores[t] += from * dependency / multiplicity(b, t)
			if b.Relative() { // the check says how
				q := b.Decay.Ratio()
				got[i] += dependency/b.Decay.Share(distance[t])/q*(1-q) + mass/q
				want[i] += b.To[t]
			} else if !b.HasLengths() {
				got[i] += dependency
				want[i] += mass * float64(distance[t]-1)
			} else {
				want[i] += mass
			}
			if b.Hung != nil && b.Hung[t] {
				of.Arrives[t] += from * b.Decay.Share(distance[t])
			}
			if flows {
				of.FlowWant += from * mass * float64(distance[t])
			}
			d := (weight + delta[t]) * multiplicity(b, t) // shared by the vertices before t
			for e := in.Offsets[t]; e < in.Offsets[t+1]; e++ {
				v, length := in.Targets[e], in.ArcLength(e)
				if distance[v] >= 0 && distance[v]+length == distance[t] {
					x := d * sigma[v].over(sigma[t])
					delta[v] += x
					if flows {
						of.Flows[b.Flows.Of[outArc(b, e, v, t)]] += from * x
						of.FlowGot += from * x * float64(length)
					}
				}
			}
		}
		if b.HasLengths() {
			got[i] = delta[s]
		}
	}
	return nil
}

// reached sums the target masses that a source sees, by their distances. The source itself is the first in order.
func reached(b *preprocess.Block, distance []int64, order []uint32) (sees float64, access engine.Access) {
	for _, t := range order[1:] {
		share := b.Decay.Share(distance[t])
		sees += b.To[t] * share
		access.Add(b.To[t], share, distance[t])
	}
	return sees, access
}

// outArc returns the index among out-arcs of the arc from v to t, which has index e among in-arcs.
func outArc(b *preprocess.Block, e int64, v, t uint32) int64 {
	if !b.Directed() {
		return e // index of the reverse arc, which belongs to the same edge
	}
	at, _ := slices.BinarySearch(b.Neighbours(v), t)
	for first := e; first > b.In.Offsets[t] && b.In.Targets[first-1] == v; first-- { // of its copies
		at++
	}
	return b.Offsets[v] + int64(at)
}

// MostPaths returns the exponent of the largest path count from a source: the count is
// less than 2^exponent, and at least half of it.
func MostPaths(ctx context.Context, b *preprocess.Block, source uint32) (exponent int64, err error) {
	paths := newPaths(b)
	if err := paths.search(ctx, b, source); err != nil {
		return 0, err
	}
	for _, v := range paths.order {
		exponent = max(exponent, paths.sigma[v].exponent)
	}
	return exponent, nil
}
