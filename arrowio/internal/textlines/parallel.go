package textlines

import (
	"bytes"
	"context"
	"errors"
	"io"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// Chunk is some whole records of a text, with a parser's results.
type Chunk struct {
	Data  []byte
	line  int64 // number of the first line
	Lines int   // how many

	Batch         tables.Batch
	Entries       int64 // edges found, dropped ones included
	Rows, LastRow int64 // METIS: vertices found, and the last of them with neighbours
	Nulls         int64 // rows dropped
	Signs               // of the ids
	Contradicted  bool  // some edges have another direction than the one asked for
	ScopeSigns    []Signs

	err    error
	parsed chan struct{}
	charge budget.Charge // of the chunk and its batch
}

// parsedBytes is the charge for a byte of text: itself, columns of integers or of text,
// and the receiver's copy of ids.
const parsedBytes = 5

// mostSpareText is the largest text whose memory is reused for the next chunk. The
// memory of a long record is seldom needed again.
const mostSpareText = 4 * ChunkBytes

// pass hands the chunk's memory over to its batch, whose release gives it back.
func (c *Chunk) pass() {
	charge, seldom := c.charge, len(c.Data) > mostSpareText
	c.charge = budget.Charge{}
	charge.Pass()
	c.Batch.OnRelease(func() {
		if seldom {
			charge.Drop()
		}
		charge.Clear()
	})
}

// At is the number of the line of data[i].
func (c *Chunk) At(i int) int64 { return c.line + int64(bytes.Count(c.Data[:i], []byte("\n"))) }

// Parse cuts the rest of l into chunks, runs parse on them in several goroutines, and
// passes them to deliver in order, which takes over the batch. stop ends a Read in
// progress. The first error in the order of the text wins, and nothing after it is
// delivered.
func Parse(ctx context.Context, l *Text, last func([]byte) int, opts *edgetable.Options, parse func(*Chunk) error, deliver func(*Chunk) error, stop func()) error {
	group, ctx := errgroup.WithContext(ctx)
	all := opts.Threads + 2 // one being cut, one being delivered
	line := opts.Budget.Line()
	free := make(chan *Chunk, all)
	work := make(chan *Chunk, all)
	ordered := make(chan *Chunk, all)
	for range all {
		free <- &Chunk{parsed: make(chan struct{}, 1)}
	}
	defer func() {
		for range len(ordered) {
			c := <-ordered
			c.Batch.Release()
		}
	}()

	group.Go(func() error {
		defer close(ordered)
		defer close(work)
		account := line.Account(ctx)
		for ; ; account.Number++ {
			var c *Chunk
			select {
			case c = <-free:
			case <-ctx.Done():
				return ctx.Err()
			}
			data, at, count, err := l.chunk(c.Data, last)
			if errors.Is(err, io.EOF) {
				return nil
			}
			*c = Chunk{Data: data, line: at, Lines: count, err: err, parsed: c.parsed, charge: account.Charge()}
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
				c.Batch.Release()
				return err
			}
			if c.err != nil {
				c.Batch.Release()
				return c.err
			}
			c.pass()
			if err := deliver(c); err != nil {
				return err
			}
			if cap(c.Data) > mostSpareText {
				c.Data = nil
			}
			free <- c
		}
	})
	return group.Wait()
}

// Signs says whether some integers are below 0, and above the largest int64.
type Signs struct{ Negative, Large bool }
