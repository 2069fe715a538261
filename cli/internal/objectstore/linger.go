package objectstore

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// A server that has the whole of a part may still be putting it away when the client
// hangs up, and then keep it although it was told to forget the upload before. So a
// request that changes something is given up while it is being sent, or else once it is
// answered; an answer that does not come is not waited for longer than abortWait.

// linger is RoundTrip for such requests.
func (t *transport) linger(request *http.Request) (*http.Response, error) {
	if request.Context().Err() != nil {
		return t.Transport.RoundTrip(request) // which does nothing
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
		inner.Body, inner.GetBody = body, nil // whoever asks again sends another request
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
	left int64 // bytes; below 0 where nobody knows
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

// whole reports whether all of the body is on its way; if not, no more of it will be.
func (s *sending) whole() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = s.left != 0
	return !s.over
}

// answer is a response's body, whose request ends with it.
type answer struct {
	io.ReadCloser
	end func()
}

func (a *answer) Close() error {
	defer a.end()
	return a.ReadCloser.Close()
}
