package sources

import (
	"context"
	"errors"
	"io"
	"os"
	"time"
)

// cancelReader fails once its context has ended.
type cancelReader struct {
	ctx  context.Context
	read func(p []byte) (int, error)
}

func (c *cancelReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.read(p)
	if err != nil && !errors.Is(err, io.EOF) && c.ctx.Err() != nil {
		err = c.ctx.Err()
	}
	return n, err
}

// unblock makes a reader whose Read gives up when ctx ends, if the system or the
// reader's type has a way (see Options.Stdin). undo must be called after the last
// Read.
func unblock(ctx context.Context, r io.Reader) (unblocked io.Reader, undo func()) {
	if d, ok := r.(interface{ SetReadDeadline(time.Time) error }); ok && d.SetReadDeadline(time.Time{}) == nil {
		stop := onEnd(ctx, func() { d.SetReadDeadline(time.Unix(1, 0)) })
		return &cancelReader{ctx, r.Read}, func() {
			stop()
			d.SetReadDeadline(time.Time{})
		}
	}
	if file, ok := r.(*os.File); ok {
		return &cancelReader{ctx, pollingRead(ctx, file)}, func() {}
	}
	if closer, ok := r.(io.Closer); ok {
		return &cancelReader{ctx, r.Read}, onEnd(ctx, func() { closer.Close() })
	}
	return &cancelReader{ctx, r.Read}, func() {}
}

// onEnd runs act when ctx ends, unless stop comes first. Once stop returns, act
// is not running.
func onEnd(ctx context.Context, act func()) (stop func()) {
	done := make(chan struct{})
	notYet := context.AfterFunc(ctx, func() {
		act()
		close(done)
	})
	return func() {
		if !notYet() {
			<-done
		}
	}
}
