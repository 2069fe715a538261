// Package objectstore reads and writes objects of S3 and of servers with its protocol. It is an
// fs.FS in which object s3://bucket/key is the file "bucket/key". Uploads appear whole or not at
// all.
//
// Credentials are read only from the places of AWS's own tools: the environment, the shared
// credentials file (AWS_PROFILE names its profile), a web identity token, the container's or the
// machine's role. AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL is the server's address. AWS_REGION or
// AWS_DEFAULT_REGION is the region; otherwise the server is asked. No error contains any part of a
// credential.
package objectstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Scheme begins the URL of an object.
const Scheme = "s3"

// Name returns the name of an object in a Store, if path is the URL of one.
func Name(path string) (name string, ok bool) { return strings.CutPrefix(path, Scheme+"://") }

// requestTries is the number of attempts of a request, with waits of up to a second between them,
// so that a busy server has time.
const requestTries = 6

// roleWait is the time to ask the machine for its role: most have none, and do not answer.
const roleWait = 2 * time.Second

// Store is an fs.FS, with StatFS and ReadDirFS. Objects whose names are not an fs.ValidPath (a//b,
// ../a) cannot be reached. The environment is read at the first request.
type Store struct {
	ctx    context.Context // of a command: an fs.FS has no other place for it
	client func() (*client, error)

	// AbortWait is the time to ask the server to forget an upload, and to wait for its earlier
	// answers, since the server or the network may have failed. It is set before the first request;
	// New sets it to some seconds.
	AbortWait time.Duration

	mu     sync.Mutex
	listed map[string]*info // results of listings, so that they are not asked for again
}

// client is a connection, with the facts that errors need.
type client struct {
	minio.Core
	transport   *transport
	credentials *credentials.Credentials
	anonymous   bool // no credentials were found
}

// New makes a store whose requests end with ctx, or after the timeout without a byte in either
// direction; 0 is DefaultTimeout.
func New(ctx context.Context, timeout time.Duration) *Store {
	s := &Store{ctx: ctx, AbortWait: abortWait, listed: make(map[string]*info)}
	s.client = sync.OnceValues(func() (*client, error) { return connect(cmp.Or(timeout, DefaultTimeout), s.AbortWait) })
	return s
}

// connect reads the environment.
func connect(timeout, abortWait time.Duration) (*client, error) {
	endpoint, err := endpointOf(cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com"))
	if err != nil {
		return nil, err
	}
	providers := []credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}}
	if !strings.EqualFold(os.Getenv("AWS_EC2_METADATA_DISABLED"), "true") {
		providers = append(providers, &credentials.IAM{Client: &http.Client{Timeout: roleWait}})
	}
	chain := credentials.NewChainCredentials(providers)
	value, err := chain.GetWithContext(nil)
	if err != nil {
		return nil, ErrNoCredentials // the text may quote the unreadable file
	}
	transport, err := newTransport(endpoint.Scheme == "https", timeout, abortWait)
	if err != nil {
		return nil, err
	}
	c, err := minio.New(endpoint.Host, &minio.Options{
		Creds:      chain,
		Transport:  transport,
		Secure:     endpoint.Scheme == "https",
		Region:     cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION")),
		MaxRetries: requestTries,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEndpoint, err)
	}
	c.SetAppInfo("bcstage", "1")
	return &client{minio.Core{Client: c}, transport, chain, value.AccessKeyID == ""}, nil
}

// endpointOf accepts only the plain URL of a server: credentials in it would appear in errors.
func endpointOf(text string) (*url.URL, error) {
	endpoint, err := url.Parse(text)
	switch {
	case err != nil || endpoint.Host == "" || endpoint.Scheme != "http" && endpoint.Scheme != "https":
		return nil, fmt.Errorf("%w: want http://HOST or https://HOST", ErrEndpoint)
	case endpoint.User != nil:
		return nil, fmt.Errorf("%w: want no user and password in it", ErrEndpoint)
	case strings.Trim(endpoint.Path, "/") != "" || endpoint.RawQuery != "":
		return nil, fmt.Errorf("%w: want no path in it", ErrEndpoint)
	}
	return endpoint, nil
}

// split returns bucket and key of a name; the key of a bucket is "".
func split(op, name string) (bucket, key string, err error) {
	if bucket, key, _ = strings.Cut(name, "/"); !fs.ValidPath(name) || name == "." {
		return "", "", &fs.PathError{Op: op, Path: Scheme + "://" + name, Err: ErrName}
	}
	return bucket, key, nil
}

// fail returns the error of a request.
func (s *Store) fail(op, name string, err error) error {
	if failed := new(fs.PathError); errors.As(err, &failed) {
		return err
	}
	return &fs.PathError{Op: op, Path: Scheme + "://" + name, Err: s.explain(err)}
}
