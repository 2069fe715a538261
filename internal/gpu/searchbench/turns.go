package searchbench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"bcstage/gpu"
	"bcstage/internal/gpu/searches"
)

// Strategies search in turn, all of them from all sources, a few times over: otherwise whatever
// slows the machine down for a second would be one strategy's loss.

// The number of turns. Short searches, where chance weighs more, have more turns, until they have
// taken short seconds. A strategy that takes more than contending times as long as the best has one
// turn, as more would not change the result.
const (
	searchTurns = 3
	shortTurns  = 9
	short       = .25
	contending  = 2
)

type contender struct {
	figures Figures
	search  *searches.Search // nil: not on the device
	seconds [][]float64      // by source: the time of each turn
}

// total is the time of its searches.
func (c *contender) total() (sum float64) {
	for _, seconds := range c.seconds {
		for _, s := range seconds {
			sum += s
		}
	}
	return sum
}

// middle is the time of a search: the median over the sources.
func (c *contender) middle() float64 {
	var list []float64
	for _, seconds := range c.seconds {
		list = append(list, median(seconds))
	}
	return median(list)
}

func median(list []float64) float64 {
	sorted := slices.Clone(list)
	sort.Sort(sort.Float64Slice(sorted))
	return (sorted[len(sorted)/2] + sorted[(len(sorted)-1)/2]) / 2
}

// measure records the figures of the strategies. A lack of memory is recorded there, too.
func (c *contest) measure(ctx context.Context) error {
	defer c.release()
	best := math.Inf(1)
	for turn := range shortTurns {
		for _, s := range c.list {
			if s.figures.Err != nil || turn > 0 && s.middle() > contending*best || turn >= searchTurns && s.total() > short {
				continue
			}
			err := c.search(ctx, s)
			if errors.Is(err, gpu.ErrMemory) { // memory may be enough for this one alone
				c.release()
				err = c.search(ctx, s)
			}
			switch {
			case ctx.Err() == nil && lacking(err):
				s.figures.Err = err
				c.release()
			case err != nil:
				return fmt.Errorf("searches: %s by strategy %s: %w", s.figures.Problem, s.figures.Strategy, err)
			default:
				best = min(best, s.middle())
			}
		}
	}
	for _, s := range c.list {
		for i, seconds := range s.seconds {
			s.figures.Seconds = append(s.figures.Seconds, median(seconds))
			s.figures.TEPS = append(s.figures.TEPS, float64(c.expected[i].Edges)/median(seconds))
		}
	}
	return nil
}

// lacking reports whether an error is about resources that one strategy lacks.
func lacking(err error) bool {
	return errors.Is(err, gpu.ErrMemory) || errors.Is(err, searches.ErrRange)
}

// release frees all searches on the device; each returns at its turn.
func (c *contest) release() {
	for _, s := range c.list {
		if s.search != nil {
			s.search.Release()
			s.search = nil
		}
	}
}

// search takes a strategy's turn.
func (c *contest) search(ctx context.Context, s *contender) (err error) {
	f := &s.figures
	if s.search == nil {
		if s.search, err = c.on.Of(c.graph, f.Problem, f.Chosen); err != nil {
			return err
		}
	}
	if err := s.search.Run(ctx, c.sources[0]); err != nil { // not counted
		return err
	}
	seconds, rounds := make([]float64, len(c.sources)), make([]int, len(c.sources))
	for i, source := range c.sources {
		began := time.Now()
		if err := s.search.Run(ctx, source); err != nil {
			return err
		}
		seconds[i], rounds[i] = time.Since(began).Seconds(), s.search.Rounds()
		found, err := s.search.Found()
		if err == nil {
			err = c.expected[i].Compare(found)
		}
		if err != nil {
			return err
		}
	}
	if s.seconds == nil {
		s.seconds = make([][]float64, len(seconds))
	}
	for i, took := range seconds {
		s.seconds[i] = append(s.seconds[i], took)
	}
	f.Rounds, f.Bytes = rounds, s.search.Bytes()
	return nil
}
