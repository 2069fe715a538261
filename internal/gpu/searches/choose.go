package searches

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"bcstage/internal/csr"
)

// shallow, times log2 n, is the largest median number of rounds of the searches for which Sampling
// takes Edge: A. McLaughlin, D. A. Bader, "Scalable and high performance betweenness centrality on the
// GPU", SC 2014, has 4.
const shallow = 4

// Choices lists the strategies for a problem; strategies that choose among the others are
// last.
func Choices(p Problem) []Strategy { return append(Solving(p), Sampling, Auto) }

// Strategies lists all strategies, for any problem, in the order of the documentation.
func Strategies() (list []Strategy) {
	for _, s := range known() {
		list = append(list, s.name)
	}
	return append(list, Sampling, Auto)
}

// Choose returns the strategy that a name stands for on a graph. Sampling and Auto look at searches
// from the samples; any other name is itself, with an empty reason.
//
//	Sampling   Edge if the median number of rounds of the searches is at most 4
//	           log2 n, else Queue: McLaughlin and Bader, SC 2014
//	Auto       the strategy that was fastest over all samples, among those that were
//	           nearly as fast over the first
func (s *Searches) Choose(ctx context.Context, g *csr.Graph, p Problem, name Strategy, samples []uint32) (_ Strategy, reason string, err error) {
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
		chosen, err := s.fastest(ctx, g, p, samples)
		return chosen, fmt.Sprintf("fastest of %d", len(Solving(p))), err
	}
	return name, "", nil
}

// How Auto spends its time.
const (
	behind = 3                      // times the best so far: such searches are ended
	again  = 1.5                    // times the best over the first sample: slower strategies are not tried again
	trials = 5                      // of these from each sample, at most; the median counts
	enough = 100 * time.Millisecond // for the trials of the best: slow searches need fewer trials, as noise is small
	warmup = time.Second
)

// candidate is a strategy that Auto tries.
type candidate struct {
	name   Strategy
	first  time.Duration // from the first sample
	search *Search       // for more trials
	sum    time.Duration // of the medians of all samples
}

// fastest tries all strategies for a problem from the first sample. It tries those nearly as fast as
// the best from all samples, in turn, so that a temporary slowdown of the device affects all alike.
func (s *Searches) fastest(ctx context.Context, g *csr.Graph, p Problem, samples []uint32) (Strategy, error) {
	best := time.Duration(math.MaxInt64)
	var candidates []*candidate
	var last error
	for _, name := range Solving(p) {
		first, err := s.try(ctx, g, p, name, samples[0], best)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.Is(err, context.DeadlineExceeded): // behind
		case err != nil:
			last = err // the others may fit in memory
		default:
			candidates, best = append(candidates, &candidate{name: name, first: first}), min(best, first)
		}
	}
	if len(candidates) == 0 {
		return "", last
	}
	slices.SortStableFunc(candidates, func(a, b *candidate) int { return cmp.Compare(a.first, b.first) })
	all := candidates
	defer func() {
		for _, c := range all {
			if c.search != nil {
				c.search.Release()
			}
		}
	}()
	for i, c := range all {
		var err error
		if float64(c.first) <= again*float64(best) {
			if c.search, err = s.Of(g, p, c.name); err == nil {
				err = c.search.Run(ctx, samples[0])
			}
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if c.search == nil || err != nil { // too slow, or no memory for another
			if i == 0 {
				return c.name, nil
			}
			candidates = candidates[:i]
			break
		}
	}
	tries := int(min(max(enough/best, 1), trials))
	for _, source := range samples {
		times := make([][]time.Duration, len(candidates))
		for range tries {
			for i, c := range candidates {
				began := time.Now()
				if err := c.search.Run(ctx, source); err != nil {
					return "", err
				}
				times[i] = append(times[i], time.Since(began))
			}
		}
		for i, c := range candidates {
			slices.Sort(times[i])
			c.sum += times[i][tries/2]
		}
	}
	return slices.MinFunc(candidates, func(a, b *candidate) int { return cmp.Compare(a.sum, b.sum) }).name, nil
}

// try returns the time of a search by a strategy once warm, the faster of two if it is short. Searches
// that take much longer than the best so far end early, with context.DeadlineExceeded.
func (s *Searches) try(ctx context.Context, g *csr.Graph, p Problem, name Strategy, source uint32, best time.Duration) (time.Duration, error) {
	search, err := s.Of(g, p, name)
	if err != nil {
		return 0, err
	}
	defer search.Release()
	fastest := time.Duration(math.MaxInt64)
	for i := range 3 {
		if i == 2 && fastest > enough {
			break
		}
		limited, cancel := ctx, context.CancelFunc(func() {})
		if best < math.MaxInt64 {
			limit := behind * best
			if i == 0 {
				limit += warmup // memory is allocated and filled
			}
			limited, cancel = context.WithTimeout(ctx, limit)
		}
		began := time.Now()
		err := search.Run(limited, source)
		cancel()
		if err != nil {
			return 0, err
		}
		if i > 0 {
			fastest = min(fastest, time.Since(began))
		}
	}
	return fastest, nil
}
