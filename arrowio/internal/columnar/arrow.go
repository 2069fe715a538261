package columnar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ipccheck"
	"bcstage/arrowio/internal/sources"
	"bcstage/internal/budget"
)

// ReadArrow reads an Arrow IPC stream or file.
func ReadArrow(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error {
	return ReadArrowIn(ctx, in, out, memory.DefaultAllocator)
}

func ReadArrowIn(ctx context.Context, in *sources.Input, out *edgetable.Funnel, mem memory.Allocator) error {
	var all *records
	defer func() {
		if all != nil {
			all.release()
		}
	}()
	account := out.Opts.Budget.Line().Account(ctx)
	return EachRecord(ctx, in, mem, account, func(schema *arrow.Schema) (err error) {
		all, err = newRecords(out, schema, account)
		return err
	}, func(record arrow.Record) error {
		return all.send(ctx, record)
	})
}

// EachRecord calls begin with the schema of a stream or file, and take with
// every record; take retains a record to keep it. Records are charged to the
// account.
func EachRecord(ctx context.Context, in *sources.Input, mem memory.Allocator, account *budget.Account, begin func(*arrow.Schema) error, take func(arrow.Record) error) (err error) {
	defer faults.Recover(&err)
	head, err := in.Head()
	if err != nil {
		return err
	}
	from := ipccheck.NewStream(ctx, in)
	if bytes.HasPrefix(head, []byte(ipccheck.Magic)) {
		file, err := in.Random()
		if err != nil {
			return err
		}
		messages, err := ipccheck.NewFile(ctx, file, file.Size())
		if err != nil {
			return err
		}
		start, end := messages.Span()
		messages.Through(sources.NewAhead(file, []sources.Stretch{{Start: start, End: end}}))
		from = messages
	}
	m := ipccheck.NewMessages(ctx, from, mem, in.From.MaxExpansion, account)
	defer m.Release()
	reader, err := ipc.NewReaderFromMessageReader(m, ipc.WithAllocator(m.Allocator()))
	switch {
	case m.Err() != nil:
		return m.Err()
	case errors.Is(err, io.EOF):
		return faults.Corrupt("no schema")
	case err != nil:
		return faults.Rejected("the schema is not understood: %w", err)
	}
	defer reader.Release()
	if err := begin(reader.Schema()); err != nil {
		return err
	}
	batches := 0
	for ; reader.Next(); batches++ {
		if err := take(reader.Record()); err != nil {
			return err
		}
	}
	// A reader's error may be io.EOF after success.
	switch err := reader.Err(); {
	case m.Err() != nil:
		return fmt.Errorf("record batch %d: %w", batches, m.Err())
	case err != nil && !errors.Is(err, io.EOF):
		return fmt.Errorf("record batch %d: %w", batches, faults.Corrupt("%w", err))
	}
	return nil
}
