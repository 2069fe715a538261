package arrowio

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/ipccheck"
	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"
)

// writeArrowStream writes an IPC stream.
func writeArrowStream(ctx context.Context, w io.Writer, all parts) error {
	return writeIPC(ctx, all, memory.DefaultAllocator, func(schema *arrow.Schema) (recordWriter, error) {
		return ipc.NewWriter(w, ipc.WithSchema(schema)), nil
	})
}

// writeArrowFile writes an IPC file.
func writeArrowFile(ctx context.Context, w io.Writer, all parts) error {
	file := &positioned{w: w}
	return writeIPC(ctx, all, memory.DefaultAllocator, func(schema *arrow.Schema) (recordWriter, error) {
		out, err := ipc.NewFileWriter(file, ipc.WithSchema(schema))
		return markedFile{out, file}, err
	})
}

type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

// writeIPC makes records on several threads. Each is a piece.
func writeIPC(ctx context.Context, all parts, mem memory.Allocator, open func(*arrow.Schema) (recordWriter, error)) error {
	schema := schemaOf(all.first)
	out, err := open(schema)
	if err != nil {
		return err
	}
	mem = &reused{Allocator: mem, most: (all.threads + 3) * schema.NumFields()}
	if err := all.each(ctx, func(part *tables.Table, add func(parallel.Piece) error) error {
		return recordPieces(ctx, part, mem, schema, func(record func(context.Context) (arrow.Record, error)) error {
			return add(func(ctx context.Context) (func(context.Context) error, error) {
				record, err := record(ctx)
				return func(ctx context.Context) error {
					defer record.Release()
					if err := ctx.Err(); err != nil {
						return err
					}
					return out.Write(record)
				}, err
			})
		})
	}); err != nil {
		return err // the output stays without its end, and reads as cut short
	}
	return out.Close()
}

// reused is memory for successive records of about equal size. A record gets the memory
// of an earlier one, cleared; fresh memory would be paged in each time. Builders do not
// write the value of a null, so without clearing it would be that of an earlier record.
type reused struct {
	memory.Allocator
	most int // buffers that wait
	mu   sync.Mutex
	free [][]byte
}

func (r *reused) Allocate(size int) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, b := range r.free {
		if cap(b) >= size && size > 0 {
			r.free = slices.Delete(r.free, i, i+1)
			clear(b[:cap(b)]) // Reallocate takes the rest too
			return b[:size]
		}
	}
	return r.Allocator.Allocate(size)
}

func (r *reused) Free(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.free) < r.most && cap(b) > 0 {
		r.free = append(r.free, b)
		return
	}
	r.Allocator.Free(b)
}

// positioned lets Arrow's file writer write to anything: it seeks only to learn its
// position.
type positioned struct {
	w        io.Writer
	position int64
}

func (p *positioned) Write(data []byte) (int, error) {
	n, err := p.w.Write(data)
	p.position += int64(n)
	return n, err
}

func (p *positioned) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("output cannot seek")
	}
	return p.position, nil
}

// markedFile ends the stream inside an IPC file with its marker, which the format demands
// and Arrow's file writer omits.
type markedFile struct {
	*ipc.FileWriter
	file *positioned
}

func (m markedFile) Close() error {
	if m.file.position > 0 { // otherwise Close begins the file
		if _, err := io.WriteString(m.file, ipccheck.EndOfStream); err != nil {
			return err
		}
	}
	return m.FileWriter.Close()
}
