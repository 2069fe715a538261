// Package arrow18 is stage.Records for programs that use Arrow v18 for Go. bcstage uses v17; the two share no type.
//
//	in    records of v18, released as their edges are read
//	out   records of v18, which the receiver releases
//
// Nothing is copied: buffers are lent, and the last of them releases its record. A record costs a few allocations per
// column. Types that v17 does not know, such as decimals of 32 bits, are an error.
//
// It is a module of its own, so that only programs that import it have both versions.
package arrow18

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"

	"bcstage/arrowio"
	"bcstage/pipeline"
	"bcstage/pipeline/stage"
)

// Records is stage.Records with records of v18: the same promises, options, errors and statistics. The sender to in
// must watch ctx too, since nobody receives from in after an error.
func Records(ctx context.Context, in <-chan arrow.RecordBatch, out chan<- arrow.RecordBatch, opts pipeline.Options) (*pipeline.Stats, error) {
	run, giveUp := context.WithCancel(ctx)
	defer giveUp()
	reading, stop := context.WithCancel(run)
	edges, scores := make(chan arrowio.Record), make(chan arrowio.Record)
	var wayIn, wayOut error
	var group sync.WaitGroup
	group.Go(func() {
		if wayIn = forward(reading, in, edges, oldRecords()); wayIn != nil {
			giveUp() // edges stays open: closed, it would mean that all edges have come
			return
		}
		close(edges)
	})
	group.Go(func() {
		defer close(out)
		if wayOut = forward(run, scores, out, newRecords()); wayOut != nil {
			giveUp()
		}
		for r := range scores { // after an error
			r.Release()
		}
	})
	stats, err := stage.Records(run, edges, scores, opts)
	stop()
	group.Wait()
	for _, failed := range []error{wayIn, wayOut} {
		if failed != nil && !errors.Is(failed, context.Canceled) && !errors.Is(failed, context.DeadlineExceeded) {
			return nil, failed
		}
	}
	return stats, err
}

// record of either version.
type record interface{ Release() }

// forward sends the converted records of in until in is closed. make takes its record over. The error is make's or the
// context's.
func forward[A, B record](ctx context.Context, in <-chan A, out chan<- B, make func(A) (B, error)) error {
	for {
		var next A
		select {
		case r, more := <-in:
			if !more {
				return nil
			}
			next = r
		case <-ctx.Done():
			return ctx.Err()
		}
		made, err := make(next)
		if err != nil {
			return err
		}
		select {
		case out <- made:
		case <-ctx.Done():
			made.Release()
			return ctx.Err()
		}
	}
}

// lender releases a record with the last buffer lent from it. It is the allocator of those buffers in either version;
// they never grow.
type lender struct {
	left    atomic.Int64
	release func()
}

func lend(of record) *lender {
	l := &lender{release: of.Release}
	l.left.Store(1) // until all buffers are lent
	return l
}

func (l *lender) Allocate(size int) []byte {
	panic(fmt.Sprintf("arrow18: a lent buffer asks for %d bytes", size))
}

func (l *lender) Reallocate(size int, _ []byte) []byte { return l.Allocate(size) }

func (l *lender) Free([]byte) {
	if l.left.Add(-1) == 0 {
		l.release()
	}
}
