package arrowio

import (
	"bytes"
	"context"
	"errors"
	"io"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/budget"
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
	contradicted    bool  // some edges are called of another direction than is asked for
	scopeSigns      []signs

	err    error
	parsed chan struct{}
	charge budget.Charge // of the chunk and its batch
}

// parsedBytes is what a byte of text is charged for: itself, columns of integers or of
// text, and the copy that the receiver makes of ids.
const parsedBytes = 5

// mostSpareText is the text whose memory is kept for the next chunk. That of a long record
// is seldom needed again.
const mostSpareText = 4 * chunkBytes

// pass hands the chunk's memory over to its batch, whose release gives it back.
func (c *chunk) pass() {
	charge, seldom := c.charge, len(c.data) > mostSpareText
	c.charge = budget.Charge{}
	charge.Pass()
	onRelease(&c.batch, func() {
		if seldom {
			charge.Drop()
		}
		charge.Clear()
	})
}

// at is the number of the line of data[i].
func (c *chunk) at(i int) int64 { return c.line + int64(bytes.Count(c.data[:i], []byte("\n"))) }

// parseChunks cuts the rest of l into chunks, runs parse on them on several
// goroutines, and gives them to deliver in order, which takes over the batch.
// stop makes a Read in progress end. The first error in the order of the text
// wins, and nothing after it is delivered.
func parseChunks(ctx context.Context, l *lines, last func([]byte) int, opts *readOptions, parse func(*chunk) error, deliver func(*chunk) error, stop func()) error {
	group, ctx := errgroup.WithContext(ctx)
	all := opts.Threads + 2 // one being cut, one being delivered
	line := opts.Budget.Line()
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
		account := line.Account(ctx)
		for ; ; account.Number++ {
			var c *chunk
			select {
			case c = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
			data, at, count, err := l.chunk(c.data, last)
			if errors.Is(err, io.EOF) {
				return nil
			}
			*c = chunk{data: data, line: at, lines: count, err: err, parsed: c.parsed, charge: account.Charge()}
			if err == nil {
				c.err = c.charge.Take(parsedBytes * int64(len(data)))
			}
			if c.err != nil {
				c.parsed <- struct{}{}
				ordered <- c
				return nil
			}
			ordered <- c
			work <- c
		}
	})
	for range opts.Threads {
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
		for number := int64(0); ; number++ {
			line.Turn(number)
			c, more := <-ordered
			if !more {
				return nil
			}
			<-c.parsed
			if err := ctx.Err(); err != nil {
				c.batch.Release()
				return err
			}
			if c.err != nil {
				c.batch.Release()
				return c.err
			}
			c.pass()
			if err := deliver(c); err != nil {
				return err
			}
			if cap(c.data) > mostSpareText {
				c.data = nil
			}
			free <- c
		}
	})
	return group.Wait()
}

// signs are whether some integers are below 0, and above the largest int64.
type signs struct{ negative, large bool }

func (s *signs) see(id uint64, negative bool) {
	s.negative = s.negative || negative
	s.large = s.large || !negative && id>>63 != 0
}
