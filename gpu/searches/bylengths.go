package searches

import (
	"context"
	"fmt"

	"bcstage/cpu/searches"
	"bcstage/preprocess"
)

// ByLengths searches by the lengths of a graph from one source after the other, and
// hands on what a searches.Search of cores does, row for row: distances of 32 bits, by
// strategy Edge, which of those for SSSP was the fastest, or within a fifth of it, on all
// families of graphs on an H200 but deep ones, and there it was the fastest or next to it.
// While the device searches, cores make rows of what it found before.
type ByLengths struct {
	search  *Search
	cutoff  uint32
	threads int
}

// NewByLengths has a graph on the device, and has searched it once, so that memory is
// known to suffice. Distances beyond the cutoff are left out; below 0: none. As many
// threads make rows. The error is ErrProblem, of a graph without lengths, ErrRange, the
// context's, or the device's.
func (s *Searches) NewByLengths(ctx context.Context, g *preprocess.Graph, cutoff int64, threads int) (*ByLengths, error) {
	if g.Lengths == nil {
		return nil, fmt.Errorf("searches: %w: a graph without lengths", ErrProblem)
	}
	search, err := s.Of(g, SSSP, Edge)
	if err != nil {
		return nil, err
	}
	l := &ByLengths{search, none - 1, max(threads, 1)}
	if cutoff >= 0 {
		l.cutoff = uint32(min(cutoff, none-1))
	}
	if g.Vertices() > 0 {
		err = search.Run(ctx, 0)
	}
	if err != nil {
		search.Release()
		return nil, err
	}
	return l, nil
}

// Release gives back the memory on the device.
func (l *ByLengths) Release() { l.search.Release() }

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
		searches.Reuse(<-waiting[0])
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
			made <- searches.RowsOf(found.Distances)
		}()
		if err := then(made); err != nil {
			return err
		}
	}
	return nil
}
