// Package storetest runs S3 servers for tests: gofakes3, which checks signatures, in the test's
// process; or, if BCSTAGE_S3_GATEWAY names the program, Versity's S3 gateway over a folder, which
// is also used in production.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"
)

// Key and Secret are the server's only credentials.
const (
	Key    = "AKIATESTONLYNOTREAL00"
	Secret = "not/a+secret:but/looks+like/one0000000000"
)

// Request is a request to the server.
type Request struct{ Method, Path, Query, Range string }

// Server has a bucket named "bucket".
type Server struct {
	URL string

	client minio.Core
	mu     sync.Mutex
	log    []Request
	before func(w http.ResponseWriter, r *http.Request) bool
}

// Start starts a server and sets the environment to it, with no credentials except its own.
func Start(t testing.TB) *Server {
	t.Helper()
	handler := fake()
	if gateway := os.Getenv("BCSTAGE_S3_GATEWAY"); gateway != "" {
		handler = startGateway(t, gateway)
	}
	s := &Server{}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.log = append(s.log, Request{r.Method, r.URL.Path, r.URL.RawQuery, r.Header.Get("Range")})
		before := s.before
		s.mu.Unlock()
		if before == nil || before(w, r) {
			handler.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(front.Close)
	back := httptest.NewServer(handler)
	t.Cleanup(back.Close)
	s.URL = front.URL
	host := strings.TrimPrefix(back.URL, "http://")
	client, err := minio.NewCore(host, &minio.Options{Creds: credentials.NewStaticV4(Key, Secret, ""), Region: "us-east-1"})
	if err == nil {
		s.client = *client
		err = s.client.MakeBucket(t.Context(), "bucket", minio.MakeBucketOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "AWS_") {
			t.Setenv(name, "")
		}
	}
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": front.URL, "AWS_ACCESS_KEY_ID": Key, "AWS_SECRET_ACCESS_KEY": Secret, "AWS_REGION": "us-east-1",
		"AWS_EC2_METADATA_DISABLED": "true", "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
	} {
		t.Setenv(name, value)
	}
	return s
}

func fake() http.Handler {
	return gofakes3.New(s3mem.New(), gofakes3.WithV4Auth(map[string]string{Key: Secret}), gofakes3.WithoutVersioning()).Server()
}

// startGateway runs the program over a folder of the test. It listens on a socket in a folder,
// whose name no other process can take, unlike a free port.
func startGateway(t testing.TB, program string) http.Handler {
	t.Helper()
	folder, err := os.MkdirTemp("", "s3") // not t.TempDir: the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	socket := filepath.Join(folder, "socket")
	var output bytes.Buffer
	command := exec.Command(program, "--access", Key, "--secret", Secret, "--port", socket, "--quiet", "posix", "--sidecar", t.TempDir(), t.TempDir())
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	t.Cleanup(func() {
		command.Process.Kill()
		<-ended
	})
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	for {
		if connection, err := dial(t.Context(), "", ""); err == nil {
			connection.Close()
			break
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s: %v\n%s", program, err, output.Bytes())
		case <-time.After(20 * time.Millisecond):
		}
	}
	transport := &http.Transport{DialContext: dial}
	t.Cleanup(transport.CloseIdleConnections)
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "gateway"})
	proxy.Transport = transport
	proxy.ErrorLog = nil
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	return proxy
}

// Put stores an object.
func (s *Server) Put(t testing.TB, key string, data []byte) {
	t.Helper()
	if _, err := s.client.PutObject(t.Context(), "bucket", key, bytes.NewReader(data), int64(len(data)), "", "", minio.PutObjectOptions{}); err != nil {
		t.Fatal(err)
	}
}

// Get returns an object, nil if there is none.
func (s *Server) Get(t testing.TB, key string) []byte {
	t.Helper()
	body, _, _, err := s.client.GetObject(context.WithoutCancel(t.Context()), "bucket", key, minio.GetObjectOptions{})
	var response minio.ErrorResponse
	if errors.As(err, &response) && response.Code == minio.NoSuchKey {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	data, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Uploads returns the keys of multipart uploads that are neither complete nor aborted.
func (s *Server) Uploads(t testing.TB) (keys []string) {
	t.Helper()
	// gofakes3 takes the empty delimiter that the client always sends as a delimiter.
	result, err := s.client.ListMultipartUploads(t.Context(), "bucket", "", "", "", "|", 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, upload := range result.Uploads {
		keys = append(keys, upload.Key)
	}
	return keys
}

// Intercept calls before with every request; if it returns false, it has answered. nil: no more.
func (s *Server) Intercept(before func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = before
}

// Requests returns the requests since the last call, without those of Put, Get and Uploads.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	log := slices.Clone(s.log)
	s.log = nil
	return log
}

// Deny answers like a server that knows the client and denies access.
func Deny(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(http.StatusForbidden)
	if r.Method != http.MethodHead {
		io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>no, "+r.Header.Get("Authorization")+"</Message></Error>")
	}
	return false
}
