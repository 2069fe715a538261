package searches

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"bcstage/internal/cpu/searches"
	"bcstage/internal/csr"
)

// ByLengths searches by the lengths of a graph from one source after the other, and
// hands on what a searches.Search of cores does, row for row: distances of 32 bits, by
// strategy Edge or Near, one of which was the fastest on every family of graphs on an
// H200. While the device searches, cores make rows of what it found before.
type ByLengths struct {
	search  *Search
	name    Strategy
	cutoff  uint32
	threads int
	spare   *searches.Spare
}

// NewByLengths has a graph on the device, and has searched it from a source by both
// strategies, of which it takes the faster, or the one that there is memory for. Distances beyond the cutoff are left out;
// below 0: none. As many threads make rows. The error is ErrProblem, of a graph without lengths, ErrRange, the
// context's, or the device's.
func (s *Searches) NewByLengths(ctx context.Context, g *csr.Graph, cutoff int64, source uint32, threads int) (*ByLengths, error) {
	if !g.HasLengths() {
		return nil, fmt.Errorf("searches: %w: a graph without lengths", ErrProblem)
	}
	l := &ByLengths{cutoff: none - 1, threads: max(threads, 1), spare: s.Spare}
	best := time.Duration(math.MaxInt64)
	var err error
	for _, name := range []Strategy{Edge, Near} {
		took, failed := s.try(ctx, g, SSSP, name, source, best)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(failed, context.DeadlineExceeded): // far behind
		case failed != nil:
			err = failed // it may be the memory of this one alone
		case took < best:
			l.name, best = name, took
		}
	}
	if l.name == "" {
		return nil, err
	}
	if l.search, err = s.Of(g, SSSP, l.name); err != nil {
		return nil, err
	}
	if cutoff >= 0 {
		l.cutoff = uint32(min(cutoff, none-1))
	}
	if err := l.search.Run(ctx, source); err != nil { // which takes the memory
		l.Release()
		return nil, err
	}
	return l, nil
}

// Release gives back the memory on the device.
func (l *ByLengths) Release() { l.search.Release() }

// Strategy is how the device searches.
func (l *ByLengths) Strategy() Strategy { return l.name }

// Lanes is the most sources of a Run: a device that fails leaves no more to others.
func (l *ByLengths) Lanes() int { return 32 }

// Bytes is the device memory that is taken.
func (l *ByLengths) Bytes() int64 { return l.search.Bytes() }

// Group is how many work-items a work-group has.
func (l *ByLengths) Group() int { return l.search.of.group }

// Run searches from the sources and calls emit for each, in their order, from the
// goroutine that called it. It ends with emit's error, the context's, ErrRange, or the
// device's.
func (l *ByLengths) Run(ctx context.Context, sources []uint32, emit func(searches.Rows) error) error {
	var waiting []chan searches.Rows // of sources that are searched, in their order
	next := func() error {
		rows := <-waiting[0]
		waiting = waiting[1:]
		return emit(rows)
	}
	err := l.each(ctx, sources, func(made chan searches.Rows) error {
		if waiting = append(waiting, made); len(waiting) <= l.threads {
			return nil
		}
		return next()
	})
	for len(waiting) > 0 { // before a failure, too: no goroutine is left behind
		if err == nil {
			err = next()
			continue
		}
		l.spare.Reuse(<-waiting[0])
		waiting = waiting[1:]
	}
	return err
}

// each hands on where the rows of every source will be.
func (l *ByLengths) each(ctx context.Context, sources []uint32, then func(chan searches.Rows) error) error {
	for _, source := range sources {
		if err := l.search.Run(ctx, source); err != nil {
			return err
		}
		found, err := l.search.Found()
		if err != nil {
			return err
		}
		made := make(chan searches.Rows, 1)
		go func() {
			for v, d := range found.Distances {
				if d > l.cutoff {
					found.Distances[v] = none
				}
			}
			made <- l.spare.RowsOf(found.Distances)
		}()
		if err := then(made); err != nil {
			return err
		}
	}
	return nil
}
