package objectstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
)

var (
	// ErrUnreachable says that a server cannot be reached, does not answer, or is too busy: a later
	// attempt may succeed.
	ErrUnreachable = errors.New("storage unreachable or stalled")
	// ErrNoCredentials says that a request was refused, or could not be signed, without
	// credentials.
	ErrNoCredentials = errors.New("no credentials found")
	// ErrEndpoint says that the endpoint in the environment is wrong.
	ErrEndpoint = errors.New("AWS_ENDPOINT_URL")

	// ErrName says that no object can have a name.
	ErrName = errors.New("want s3://BUCKET/KEY, without empty names between the slashes")

	errChanged = errors.New("the object has changed since it was opened")
)

// reason is an error of a class, with its own text.
type reason struct {
	class error
	text  string
}

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.class }

// explain says briefly why a request failed. The library's errors contain URLs and the server's
// answer; neither is shown unchanged.
func (s *Store) explain(err error) error {
	if errors.Is(err, context.Canceled) && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	c, failed := s.client()
	if failed != nil {
		return failed
	}
	host := c.EndpointURL().Host
	var silent *stalled
	var response minio.ErrorResponse
	switch {
	case errors.As(err, &silent):
		return reason{ErrUnreachable, host + ": " + silent.Error()}
	case !errors.As(err, &response):
		return c.explainNetwork(host, err)
	}
	switch response.Code {
	case minio.NoSuchBucket:
		return reason{fs.ErrNotExist, "no such bucket"}
	case minio.NoSuchKey:
		return reason{fs.ErrNotExist, "no such object"}
	case minio.PreconditionFailed:
		return errChanged
	case "InvalidAccessKeyId":
		return reason{fs.ErrPermission, "the server does not know the access key"}
	case "SignatureDoesNotMatch":
		return reason{fs.ErrPermission, "the secret key does not match the access key"}
	case "ExpiredToken", "ExpiredTokenException":
		return reason{fs.ErrPermission, "the session token has expired"}
	}
	switch {
	case response.StatusCode == http.StatusForbidden && c.anonymous:
		return fmt.Errorf("access denied, and %w", ErrNoCredentials)
	case response.StatusCode == http.StatusForbidden:
		return reason{fs.ErrPermission, "access denied"}
	case busy(response.StatusCode):
		return reason{ErrUnreachable, c.redacted(fmt.Sprintf("%s: the server cannot answer now: %s: %v", host, response.Code, response))}
	}
	return reason{err, c.redacted(fmt.Sprintf("%s: %v", response.Code, response))}
}

// busy reports whether a status means "not now".
func busy(status int) bool {
	return status >= 500 && status != http.StatusNotImplemented || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

// explainNetwork explains a request without a complete answer.
func (c *client) explainNetwork(host string, err error) error {
	class := err
	var request *url.Error
	var broken *brokenBody
	if errors.As(err, &request) {
		err = request.Err
	}
	if request != nil && !misconfigured(err) || errors.As(err, &broken) {
		class = ErrUnreachable
	}
	return reason{class, c.redacted(host + ": " + err.Error())}
}

// misconfigured reports whether a later attempt would fail, too.
func misconfigured(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	return errors.As(err, &certificate) || errors.As(err, &record) || strings.Contains(err.Error(), "HTTP response to HTTPS client")
}

// Shorter secrets occur in so many words that a text without them would be unreadable. No server
// that protects secrets accepts such secret keys, and an access key is a name.
const (
	leastSecret    = 8
	leastAccessKey = 16
)

// redacted removes credentials from a text, whatever a server or a library has put into it.
func (c *client) redacted(text string) string {
	value, err := c.credentials.GetWithContext(nil)
	if err != nil {
		return text
	}
	for _, secret := range []string{value.SecretAccessKey, value.SessionToken, value.AccessKeyID} {
		least := leastSecret
		if secret == value.AccessKeyID {
			least = leastAccessKey
		}
		if len(secret) >= least {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}
