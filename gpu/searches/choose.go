package searches

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"bcstage/preprocess"
)

// shallow is how many times log2 n rounds a search may have, in the median, for
// Sampling to take Edge: A. McLaughlin, D. A. Bader, "Scalable and high performance
// betweenness centrality on the GPU", SC 2014, has 4.
const shallow = 4

// Choices are the strategies for a problem, those that choose one of the others last.
func Choices(p Problem) []Strategy { return append(Solving(p), Sampling, Auto) }

// Choose is the strategy that a name stands for on a graph: Sampling and Auto look at
// searches from the samples, any other name is itself. The reason is empty for those.
//
//	Sampling   Edge if the median of how many rounds the searches have is at most 4
//	           log2 n, else Queue: McLaughlin and Bader, SC 2014
//	Auto       the strategy that was fastest, once warm, over all samples
func (s *Searches) Choose(ctx context.Context, g *preprocess.Graph, p Problem, name Strategy, samples []uint32) (_ Strategy, reason string, err error) {
	switch name {
	case Sampling:
		search, err := s.Of(g, p, Queue)
		if err != nil {
			return "", "", err
		}
		defer search.Release()
		var depths []int
		for _, source := range samples {
			if err := search.Run(ctx, source); err != nil {
				return "", "", err
			}
			depths = append(depths, search.Rounds())
		}
		slices.Sort(depths)
		median, limit := depths[len(depths)/2], shallow*math.Log2(float64(g.Vertices()))
		if float64(median) <= limit {
			return Edge, fmt.Sprintf("%d rounds, at most %.0f", median, limit), nil
		}
		return Queue, fmt.Sprintf("%d rounds, more than %.0f", median, limit), nil
	case Auto:
		best := time.Duration(math.MaxInt64)
		chosen := Strategy("")
		var last error
		for _, candidate := range Solving(p) {
			took, err := s.try(ctx, g, p, candidate, samples)
			switch {
			case ctx.Err() != nil:
				return "", "", ctx.Err()
			case err != nil:
				last = err // it may be the memory of this one alone
			case took < best:
				chosen, best = candidate, took
			}
		}
		if chosen == "" {
			return "", "", last
		}
		return chosen, fmt.Sprintf("fastest of %d", len(Solving(p))), nil
	}
	return name, "", nil
}

// try is how long a strategy takes for all samples, the faster of two searches from
// each, after one that is not counted.
func (s *Searches) try(ctx context.Context, g *preprocess.Graph, p Problem, name Strategy, samples []uint32) (time.Duration, error) {
	search, err := s.Of(g, p, name)
	if err != nil {
		return 0, err
	}
	defer search.Release()
	if err := search.Run(ctx, samples[0]); err != nil {
		return 0, err
	}
	sum := time.Duration(0)
	for _, source := range samples {
		fastest := time.Duration(math.MaxInt64)
		for range 2 {
			began := time.Now()
			if err := search.Run(ctx, source); err != nil {
				return 0, err
			}
			fastest = min(fastest, time.Since(began))
		}
		sum += fastest
	}
	return sum, nil
}
