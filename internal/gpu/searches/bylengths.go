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

// ByLengths searches by the lengths of a graph from one source after another, and passes on the same rows as a
// searches.Search of cores: distances of 32 bits, by strategy Edge or Near. One of these was the fastest on every
// family of graphs on an H200. While the device searches, cores make rows of the last results.
type ByLengths struct {
	search  *Search
	name    Strategy
	cutoff  uint32
	threads int
	spare   *searches.Spare
}

// NewByLengths loads a graph onto the device, and searches it from a source by both strategies. It takes the faster, or
// the one that fits in memory. Distances beyond the cutoff are left out; below 0: none. threads goroutines make rows.
// The error is ErrProblem, for a graph without lengths, ErrRange, the context's, or the device's.
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
		case errors.Is(failed, context.DeadlineExceeded): // far slower
		case failed != nil:
			err = failed // the other may fit in memory
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
	if err := l.search.Run(ctx, source); err != nil { // it allocates the memory
		l.Release()
		return nil, err
	}
	return l, nil
}

// Release frees the memory on the device.
func (l *ByLengths) Release() { l.search.Release() }

// Strategy returns the strategy of the device.
func (l *ByLengths) Strategy() Strategy { return l.name }

// Lanes returns the largest number of sources of a Run: if the device fails, others must do no more than these.
func (l *ByLengths) Lanes() int { return 32 }

// Bytes returns the device memory in use.
func (l *ByLengths) Bytes() int64 { return l.search.Bytes() }

// Group returns the number of work-items of a work-group.
func (l *ByLengths) Group() int { return l.search.of.group }

// Run searches from the sources and calls emit for each, in their order, from the calling goroutine. It ends with
// emit's error, the context's, ErrRange, or the device's.
func (l *ByLengths) Run(ctx context.Context, sources []uint32, emit func(searches.Rows) error) error {
	var waiting []chan searches.Rows // of searched sources, in their order
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

// each calls then with the channel of every source's rows.
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
