package objectstore

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
)

// DefaultTimeout is the longest silence of a server.
const DefaultTimeout = time.Minute

// stalled is a request that was cancelled after the timeout without a byte in either direction. It
// is not repeated, since a silent server would multiply the wait.
type stalled struct {
	timeout time.Duration
	dialing bool
}

func (s *stalled) Error() string {
	if s.dialing {
		return fmt.Sprintf("no connection within %v", s.timeout)
	}
	return fmt.Sprintf("stalled: no byte sent or received for %v", s.timeout)
}

// transport makes connections that fail after a silence of the timeout. It cancels the whole call
// when one of its requests fails so.
type transport struct {
	*http.Transport
	timeout   time.Duration
	abortWait time.Duration // see Store
}

func newTransport(secure bool, timeout, abortWait time.Duration) (*transport, error) {
	base, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}
	base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &watched{Conn: connection, timeout: timeout}, nil
	}
	base.TLSHandshakeTimeout = timeout
	base.ResponseHeaderTimeout = 0 // the connection detects silence
	return &transport{base, timeout, abortWait}, nil
}

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	send := t.linger
	if request.Method == http.MethodGet || request.Method == http.MethodHead {
		send = t.Transport.RoundTrip
	}
	response, err := send(request)
	if giveUp, ok := request.Context().Value(giveUpKey{}).(context.CancelCauseFunc); ok && timedOut(err) {
		giveUp(t.stalled(err))
	}
	return response, err
}

func (t *transport) stalled(err error) *stalled {
	var failed *net.OpError
	return &stalled{t.timeout, errors.As(err, &failed) && failed.Op == "dial"}
}

// timedOut reports whether a connection, or its start, took too long.
func timedOut(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout()
}

// giveUpKey is the key of the function that ends a call, in the context of its requests.
type giveUpKey struct{}

// call calls the library, which may make several requests and repeats most failed ones. The error
// is *stalled if the server was silent.
func (c *client) call(ctx context.Context, requests func(context.Context) error) error {
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	err := requests(context.WithValue(ctx, giveUpKey{}, giveUp))
	var silent *stalled
	switch {
	case err == nil:
		return nil
	case errors.As(context.Cause(ctx), &silent):
		return silent
	case timedOut(err) && ctx.Err() == nil: // while the answer was read
		return c.transport.stalled(err)
	}
	return err
}

// watched is a connection on which every read and write must move a byte within the timeout. While
// a request is being sent, its answer is not yet awaited.
//
// net/http reads and writes a connection in two goroutines. The one whose deadline passes first
// closes it for both. The other must fail with the timeout as well, or the request would seem worth
// repeating.
type watched struct {
	net.Conn
	timeout time.Duration
	silent  atomic.Pointer[error] // the first timeout
}

// failed returns the error of a read or write: the first timeout, if there was one.
func (w *watched) failed(err error) error {
	if timedOut(err) {
		w.silent.CompareAndSwap(nil, &err)
	}
	if silent := w.silent.Load(); err != nil && silent != nil {
		return *silent
	}
	return err
}

// writeBytes are written at once: as many as a slow network takes within a timeout.
const writeBytes = 64 << 10

func (w *watched) Read(p []byte) (int, error) {
	if err := w.SetReadDeadline(time.Now().Add(w.timeout)); err != nil {
		return 0, w.failed(err)
	}
	n, err := w.Conn.Read(p)
	return n, w.failed(err)
}

func (w *watched) Write(p []byte) (n int, err error) {
	for {
		if err := w.SetDeadline(time.Now().Add(w.timeout)); err != nil {
			return n, w.failed(err)
		}
		m, err := w.Conn.Write(p[n:min(len(p), n+writeBytes)])
		if n += m; err != nil || n == len(p) {
			return n, w.failed(err)
		}
	}
}
