package arrowio

import (
	"context"
	"errors"
	"io"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/ipccheck"
)

// writeArrowStream writes an IPC stream.
func writeArrowStream(ctx context.Context, w io.Writer, first *Table, more func() (*Table, error)) error {
	return writeIPC(ctx, first, more, memory.DefaultAllocator, func(schema *arrow.Schema) (recordWriter, error) {
		return ipc.NewWriter(w, ipc.WithSchema(schema)), nil
	})
}

// writeArrowFile writes an IPC file.
func writeArrowFile(ctx context.Context, w io.Writer, first *Table, more func() (*Table, error)) error {
	file := &positioned{w: w}
	return writeIPC(ctx, first, more, memory.DefaultAllocator, func(schema *arrow.Schema) (recordWriter, error) {
		out, err := ipc.NewFileWriter(file, ipc.WithSchema(schema))
		return markedFile{out, file}, err
	})
}

type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

func writeIPC(ctx context.Context, first *Table, more func() (*Table, error), mem memory.Allocator, open func(*arrow.Schema) (recordWriter, error)) error {
	schema := first.schema()
	out, err := open(schema)
	if err != nil {
		return err
	}
	for part := first; part != nil && err == nil; {
		if err = part.records(ctx, mem, schema, out.Write); err == nil {
			part, err = more()
		}
	}
	if err != nil {
		return err // what is there stays without its end, and reads as cut short
	}
	return out.Close()
}

// positioned lets Arrow's file writer, which seeks only to learn where it is,
// write to anything.
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

// markedFile ends the stream inside an IPC file with its marker, as the format
// asks for and Arrow's file writer does not.
type markedFile struct {
	*ipc.FileWriter
	file *positioned
}

func (m markedFile) Close() error {
	if m.file.position > 0 { // else Close begins the file
		if _, err := io.WriteString(m.file, ipccheck.EndOfStream); err != nil {
			return err
		}
	}
	return m.FileWriter.Close()
}
