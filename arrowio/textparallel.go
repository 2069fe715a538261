package arrowio

import (
	"bytes"
	"context"
	"errors"
	"io"

	"golang.org/x/sync/errgroup"
)

// chunk is some whole records of a text, and what a parser made of them.
type chunk struct {
	data  []byte
	line  int64 // number of the first line
	lines int   // how many

	batch           Batch
	entries         int64 // edges found, dropped ones included
	rows, lastRow   int64 // METIS: vertices found, and the last of them with neighbours
	nulls           int64 // rows dropped
	negative, large bool  // ids below 0, above the largest int64
	scopeSigns      []signs

	err    error
	parsed chan struct{}
}

// at is the number of the line of data[i].
func (c *chunk) at(i int) int64 { return c.line + int64(bytes.Count(c.data[:i], newline)) }

// parseChunks cuts the rest of l into chunks, runs parse on them on several
// goroutines, and gives them to deliver in order, which takes over the batch.
// stop makes a Read in progress end. The first error in the order of the text
// wins, and nothing after it is delivered.
func parseChunks(ctx context.Context, l *lines, last func([]byte) int, threads int, parse func(*chunk) error, deliver func(*chunk) error, stop func()) error {
	group, ctx := errgroup.WithContext(ctx)
	all := threads + 2 // one being cut, one being delivered
	free := make(chan *chunk, all)
	work := make(chan *chunk, all)
	ordered := make(chan *chunk, all)
	for range all {
		free <- &chunk{parsed: make(chan struct{}, 1)}
	}
	defer func() {
		for range len(ordered) {
			c := <-ordered
			c.batch.Release()
		}
	}()

	group.Go(func() error {
		defer close(ordered)
		defer close(work)
		for {
			var c *chunk
			select {
			case c = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
			data, line, count, err := l.chunk(c.data, last)
			if errors.Is(err, io.EOF) {
				return nil
			}
			*c = chunk{data: data, line: line, lines: count, err: err, parsed: c.parsed}
			if err != nil {
				c.parsed <- struct{}{}
				ordered <- c
				return nil
			}
			ordered <- c
			work <- c
		}
	})
	for range threads {
		group.Go(func() error {
			for c := range work {
				if ctx.Err() == nil {
					c.err = parse(c)
				}
				c.parsed <- struct{}{}
			}
			return nil
		})
	}
	group.Go(func() (err error) {
		defer func() {
			if err != nil {
				stop()
			}
		}()
		for c := range ordered {
			<-c.parsed
			if err := ctx.Err(); err != nil {
				c.batch.Release()
				return err
			}
			if c.err != nil {
				c.batch.Release()
				return c.err
			}
			if err := deliver(c); err != nil {
				return err
			}
			free <- c
		}
		return nil
	})
	return group.Wait()
}
