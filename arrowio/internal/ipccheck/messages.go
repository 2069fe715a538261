// Package ipccheck frames, measures and checks the messages of Arrow IPC streams
// and files before Arrow decodes them. Arrow's own message reader accepts an input
// cut between two messages as complete, and makes room for any corrupt length.
//
//	NewStream, NewFile -> Frames: where messages begin and end
//	NewMessages        -> Messages: checked, for ipc.NewReaderFromMessageReader
//
// Errors are of the classes of package faults; Arrow's decoding may also panic,
// for faults.Recover.
package ipccheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/budget"
)

// Frames gives the messages of an IPC stream or file.
type Frames interface {
	// metadata is the next message's; io.EOF after the last one.
	metadata() ([]byte, error)
	// body is the body of the same message, of `size` bytes, which are charged as
	// they come.
	body(size int64, charge *budget.Charge) ([]byte, error)
}

// Messages is an ipc.MessageReader of checked messages.
type Messages struct {
	frames  Frames
	ctx     context.Context
	mem     *allocator
	charge  budget.Charge // of the current message's body
	check   metadataCheck
	current *ipc.Message
	err     error
}

// NewMessages reads the messages of from until ctx ends. Arrow decodes them with
// memory from mem; one byte of input may become at most expansion bytes. Both are
// charged to the account.
func NewMessages(ctx context.Context, from Frames, mem memory.Allocator, expansion int, account *budget.Account) *Messages {
	return &Messages{frames: from, ctx: ctx, mem: &allocator{Allocator: mem, expansion: expansion, charge: account.Charge()}, charge: account.Charge()}
}

// Allocator is the one for Arrow's reader.
func (m *Messages) Allocator() memory.Allocator { return m.mem }

// Err is the error of Message or of the allocator, nil at the end of the input;
// Arrow's reader may reword it.
func (m *Messages) Err() error { return cmp.Or(m.err, m.mem.refused) }

// Retain does nothing: only Arrow's reader uses the messages.
func (m *Messages) Retain() {}

// Release frees the current message.
func (m *Messages) Release() {
	m.charge.Drop()
	if m.current != nil {
		m.current.Release()
		m.current = nil
	}
}

// Message returns the next message, valid until the next call, or io.EOF after
// the last.
func (m *Messages) Message() (*ipc.Message, error) {
	m.Release()
	err := m.next()
	if err != nil && err != io.EOF {
		m.err = err
	}
	return m.current, err
}

func (m *Messages) next() (err error) {
	defer faults.Recover(&err)
	if err := m.ctx.Err(); err != nil {
		return err
	}
	metadata, err := m.frames.metadata()
	if err != nil {
		return err
	}
	head := ipc.NewMessage(memory.NewBufferBytes(metadata), memory.NewBufferBytes(nil))
	size, kind := head.BodyLen(), head.Type()
	head.Release()
	if size < 0 {
		return faults.Corrupt("message with a body of %d bytes", size)
	}
	if err := m.check.message(kind, metadata, size); err != nil {
		return err
	}
	body, err := m.frames.body(size, &m.charge)
	if err != nil {
		return err
	}
	m.mem.grant(len(metadata) + len(body))
	m.current = ipc.NewMessage(memory.NewBufferBytes(metadata), memory.NewBufferBytes(body))
	return nil
}

// cutShort is the error of an input that ends inside a message.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return faults.Corrupt("cut short: the input ends inside a message")
	}
	return fmt.Errorf("reading: %w", err)
}
