package objectstore

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// A server with a complete part may still be storing it when the client disconnects, and
// then keep it although it was asked before to forget the upload. So a request with an
// effect is cancelled while it is being sent, or else after its answer. No answer is
// awaited for longer than abortWait.

// linger is RoundTrip for requests with an effect.
func (t *transport) linger(request *http.Request) (*http.Response, error) {
	if request.Context().Err() != nil {
		return t.Transport.RoundTrip(request) // does nothing
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(request.Context()))
	body := &sending{ReadCloser: request.Body, left: request.ContentLength}
	stop := context.AfterFunc(request.Context(), func() {
		if body.whole() {
			select {
			case <-ctx.Done():
			case <-time.After(t.abortWait):
			}
		}
		cancel(context.Cause(request.Context()))
	})
	end := func() {
		stop()
		cancel(nil)
	}
	inner := request.WithContext(ctx)
	if request.Body != nil && request.Body != http.NoBody {
		inner.Body, inner.GetBody = body, nil // callers that retry send another request
	}
	response, err := t.Transport.RoundTrip(inner)
	if err != nil {
		end()
		return nil, err
	}
	response.Body = &answer{response.Body, end}
	return response, nil
}

// sending is a request's body.
type sending struct {
	io.ReadCloser
	mu   sync.Mutex
	left int64 // bytes; below 0: unknown
	over bool
}

func (s *sending) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return 0, context.Canceled
	}
	n, err := s.ReadCloser.Read(p)
	s.left -= int64(n)
	return n, err
}

// whole reports whether the whole body has been sent; if not, it sends no more.
func (s *sending) whole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = s.left != 0
	return !s.over
}

// answer is a response's body; closing it ends the request.
type answer struct {
	io.ReadCloser
	end func()
}

func (a *answer) Close() error {
	defer a.end()
	return a.ReadCloser.Close()
}
