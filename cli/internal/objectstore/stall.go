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

// DefaultTimeout is how long a server may be silent.
const DefaultTimeout = time.Minute

// stalled is a request that was given up because no byte came or went for the
// timeout. Asking a silent server again would multiply the wait, so it is not done.
type stalled struct {
	timeout time.Duration
	dialing bool
}

func (s *stalled) Error() string {
	if s.dialing {
		return fmt.Sprintf("no connection within %v", s.timeout)
	}
	return fmt.Sprintf("stalled: no byte came or went for %v", s.timeout)
}

// transport makes connections that fail when they are silent for the timeout, and
// gives the whole call up with the request that one of them fails.
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
	base.ResponseHeaderTimeout = 0 // the connection knows whether bytes flow
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

// timedOut reports whether a connection, or making one, took too long.
func timedOut(err error) bool {
	var failed net.Error
	return errors.As(err, &failed) && failed.Timeout()
}

// giveUpKey holds the function that ends a call, in the context of its requests.
type giveUpKey struct{}

// call makes a call of the library, which may be several requests and repeats
// most that fail; its error is *stalled if the server was silent.
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

// watched is a connection of which every read and write must move a byte within
// the timeout. While a request is being sent, its answer is not waited for yet.
//
// net/http reads and writes a connection in two goroutines. The one whose deadline
// passes first closes it under the other; that one fails by the timeout as well, or the
// request would look like one that is worth asking again.
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

// writeBytes are written at once: what a slow network takes within a timeout.
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
