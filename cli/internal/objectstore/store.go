// Package objectstore reads and writes objects of S3 and of servers that speak
// its protocol: as an fs.FS in which object s3://bucket/key is the file
// "bucket/key", and as uploads that become visible whole or not at all.
//
// Credentials come from where AWS's own tools look for them, and from nowhere
// else: the environment, the shared credentials file (AWS_PROFILE names its
// profile), a web identity token, the container's or the machine's role. The
// place of the server comes from AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, and
// the region from AWS_REGION or AWS_DEFAULT_REGION, else the server is asked.
// No error holds any part of a credential.
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

// Scheme is what the URL of an object begins with.
const Scheme = "s3"

// Name is the name of an object in a Store, if path is the URL of one.
func Name(path string) (name string, ok bool) { return strings.CutPrefix(path, Scheme+"://") }

// requestTries is how often a request is made before its failure counts: with
// waits of up to a second between two, so that a busy server has time.
const requestTries = 6

// roleWait is how long the machine is asked for its role: most have none, and
// nobody who answers.
const roleWait = 2 * time.Second

// Store is an fs.FS, with StatFS and ReadDirFS. Objects whose names are no
// fs.ValidPath (a//b, ../a) cannot be reached. The environment is read at the
// first request.
type Store struct {
	ctx    context.Context // of a command: an fs.FS has no other place for it
	client func() (*client, error)

	// AbortWait is how long the server is asked to forget an upload, and how long it may
	// take to answer what it was sent before: it may be gone, or the network may. It is set
	// before the first request; New sets it to some seconds.
	AbortWait time.Duration

	mu     sync.Mutex
	listed map[string]*info // what listings have told, so that it is not asked again
}

// client is a connection with what errors have to know about it.
type client struct {
	minio.Core
	transport   *transport
	credentials *credentials.Credentials
	anonymous   bool // no credentials were found
}

// New makes a store whose requests end with ctx, or when no byte has come or gone
// for the timeout; 0 is DefaultTimeout.
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
		return nil, ErrNoCredentials // the text may quote the file that cannot be read
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

// endpointOf refuses what is no plain URL of a server: credentials in it would
// show up in errors.
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

// split gives bucket and key of a name; the key of a bucket is "".
func split(op, name string) (bucket, key string, err error) {
	if bucket, key, _ = strings.Cut(name, "/"); !fs.ValidPath(name) || name == "." {
		return "", "", &fs.PathError{Op: op, Path: Scheme + "://" + name, Err: ErrName}
	}
	return bucket, key, nil
}

// fail makes the error of a request.
func (s *Store) fail(op, name string, err error) error {
	if failed := new(fs.PathError); errors.As(err, &failed) {
		return err
	}
	return &fs.PathError{Op: op, Path: Scheme + "://" + name, Err: s.explain(err)}
}
