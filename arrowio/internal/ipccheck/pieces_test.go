package ipccheck

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"bcstage/internal/budget"
)

// ending ends its context after some bytes have been read, and counts the bytes read after
// that.
type ending struct {
	left, after int
	end         func()
}

func (e *ending) Read(p []byte) (int, error) {
	if e.left -= len(p); e.left < 0 {
		e.after += len(p)
		e.end()
	}
	return len(p), nil
}

func (e *ending) ReadAt(p []byte, _ int64) (int, error) { return e.Read(p) }

// A body of any size is given up soon after the context has ended.
func TestBodyEnds(t *testing.T) {
	const size = 20 * pieceBytes
	for name, open := range map[string]func(context.Context, *ending) Frames{
		"stream": func(ctx context.Context, e *ending) Frames { return NewStream(ctx, e) },
		"file": func(ctx context.Context, e *ending) Frames {
			return &File{ctx: ctx, file: e, current: block{body: size}}
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		e := &ending{left: size / 2, end: cancel}
		if _, err := open(ctx, e).body(size, &budget.Charge{}); !errors.Is(err, context.Canceled) || e.after > pieceBytes {
			t.Errorf("%s: %v, %d bytes read after the end", name, err, e.after)
		}
		cancel()
	}
}

// Bodies equal the input, in however many pieces.
func TestBodyInPieces(t *testing.T) {
	data := make([]byte, 3*pieceBytes+5)
	for i := 0; i+8 <= len(data); i += 8 {
		binary.LittleEndian.PutUint64(data[i:], uint64(i))
	}
	r := bytes.NewReader(data)
	for name, frames := range map[string]Frames{
		"stream": NewStream(t.Context(), r),
		"file":   &File{ctx: t.Context(), file: r, current: block{offset: -8, metadata: 8, body: int64(len(data))}},
	} {
		if body, err := frames.body(int64(len(data)), &budget.Charge{}); err != nil || !bytes.Equal(body, data) {
			t.Errorf("%s: %d bytes, %v", name, len(body), err)
		}
	}
}
