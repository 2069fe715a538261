package arrowio

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
)

// frames are where the messages of an IPC stream or file come from.
type frames interface {
	// metadata is that of the next message; io.EOF after the last one.
	metadata() ([]byte, error)
	// body is that many bytes, the body of the same message.
	body(size int64) ([]byte, error)
}

// messages hands messages to Arrow's reader, in the place of Arrow's own
// message reader, which takes an input that was cut between two messages for
// complete and allocates whatever a corrupt length asks for.
type messages struct {
	frames
	ctx     context.Context
	mem     *budget
	check   messageCheck
	current *ipc.Message
	err     error // why Message failed, which Arrow's reader may reword
}

func newMessages(ctx context.Context, from frames, mem memory.Allocator, expansion int) *messages {
	return &messages{frames: from, ctx: ctx, mem: &budget{Allocator: mem, expansion: expansion}}
}

func (m *messages) Retain() {}

func (m *messages) Release() {
	if m.current != nil {
		m.current.Release()
		m.current = nil
	}
}

// Message returns the next message, valid until the next call, or io.EOF after
// the last.
func (m *messages) Message() (*ipc.Message, error) {
	m.Release()
	err := m.next()
	if err != nil && err != io.EOF {
		m.err = err
	}
	return m.current, err
}

func (m *messages) next() (err error) {
	defer recoverCorrupt(&err)
	if err := m.ctx.Err(); err != nil {
		return err
	}
	metadata, err := m.metadata()
	if err != nil {
		return err
	}
	head := ipc.NewMessage(memory.NewBufferBytes(metadata), memory.NewBufferBytes(nil))
	size, kind := head.BodyLen(), head.Type()
	head.Release()
	if size < 0 {
		return corrupt("message with a body of %d bytes", size)
	}
	if err := m.check.message(kind, metadata, size); err != nil {
		return err
	}
	body, err := m.body(size)
	if err != nil {
		return err
	}
	m.mem.grant(len(metadata) + len(body))
	m.current = ipc.NewMessage(memory.NewBufferBytes(metadata), memory.NewBufferBytes(body))
	return nil
}

// cutShort is the error of bytes that end inside something.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return corrupt("cut short: the input ends inside a message")
	}
	return fmt.Errorf("reading: %w", err)
}
