package objectstore

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// A slow server may take any time, if a byte moves now and then.
func TestSlowIsNotStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		defer near.Close()
		w := &watched{Conn: near, timeout: time.Minute}
		go func() {
			for range 10 {
				time.Sleep(59 * time.Second)
				far.Write([]byte{1})
			}
		}()
		if _, err := io.ReadFull(w, make([]byte, 10)); err != nil {
			t.Error("reading:", err)
		}
		go func() {
			piece := make([]byte, writeBytes)
			for range 10 {
				time.Sleep(59 * time.Second)
				io.ReadFull(far, piece)
			}
		}()
		if n, err := w.Write(make([]byte, 10*writeBytes)); n != 10*writeBytes || err != nil {
			t.Error("writing:", n, err)
		}
		began := time.Now()
		if _, err := w.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != time.Minute {
			t.Error("silent:", err, time.Since(began))
		}
		began = time.Now()
		if _, err := w.Write(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != time.Minute {
			t.Error("not listening:", err, time.Since(began))
		}
	})
}

// A silent connection is closed by the goroutine that notices first. The other of net/http's two
// goroutines fails with the timeout as well, so that the request is not repeated.
func TestSilentConnectionFailsByTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		w := &watched{Conn: near, timeout: time.Minute}
		if _, err := w.Read(make([]byte, 1)); !timedOut(err) {
			t.Error("reading:", err)
		}
		w.Close()
		if _, err := w.Write(make([]byte, 1)); !timedOut(err) {
			t.Error("writing after that:", err)
		}
		if _, err := w.Read(make([]byte, 1)); !timedOut(err) {
			t.Error("reading after that:", err)
		}
	})
}

// While a request is being sent, nobody waits for the answer.
func TestWritingPostponesReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		defer far.Close()
		defer near.Close()
		w := &watched{Conn: near, timeout: time.Minute}
		answer := make(chan error, 1)
		go func() {
			_, err := w.Read(make([]byte, 1))
			answer <- err
		}()
		go io.ReadFull(far, make([]byte, 3))
		for range 3 {
			time.Sleep(59 * time.Second)
			if _, err := w.Write([]byte{1}); err != nil {
				t.Error(err)
			}
		}
		far.Write([]byte{1})
		if err := <-answer; err != nil {
			t.Error(err)
		}
	})
}

// Long secrets are removed from any text; short ones occur in too many words.
func TestRedaction(t *testing.T) {
	for _, c := range []struct{ key, secret, token, text, want string }{
		{"AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG", "token-of-a-session", "AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENGx and token-of-a-session", "***:***x and ***"},
		{"a", "b", "", "a bucket of bananas", "a bucket of bananas"},
		{"minio", "miniominio", "", "minio:9000: miniominio is wrong", "minio:9000: *** is wrong"},
		{"", "", "", "access denied", "access denied"},
	} {
		client := &client{credentials: credentials.NewStaticV4(c.key, c.secret, c.token)}
		if got := client.redacted(c.text); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// The server's status decides whether a retry is worthwhile.
func TestBusyServer(t *testing.T) {
	for _, set := range [][2]string{{"AWS_ENDPOINT_URL", "http://127.0.0.1:1"}, {"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}} {
		t.Setenv(set[0], set[1])
	}
	s := New(t.Context(), 0)
	for status, again := range map[int]bool{500: true, 503: true, 429: true, 400: false, 405: false, 501: false} {
		err := s.explain(minio.ErrorResponse{StatusCode: status, Code: "Code", Message: "message"})
		if errors.Is(err, ErrUnreachable) != again {
			t.Errorf("%d: %v", status, err)
		}
	}
}
