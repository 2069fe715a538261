package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
)

var (
	// ErrNoCredentials is a request that was refused, or could not be signed,
	// for want of credentials.
	ErrNoCredentials = errors.New("no credentials found")
	// ErrEndpoint is an endpoint in the environment that is none.
	ErrEndpoint = errors.New("AWS_ENDPOINT_URL")

	// ErrName is a name that no object can have here.
	ErrName = errors.New("want s3://BUCKET/KEY, without empty names between the slashes")

	errChanged = errors.New("the object has changed since it was first looked at")
)

// reason is an error of a class, in other words.
type reason struct {
	class error
	text  string
}

func (r reason) Error() string { return r.text }
func (r reason) Unwrap() error { return r.class }

// explain says in few words why a request failed. The library's errors hold
// URLs and what the server answered; neither is shown as it came.
func (s *Store) explain(err error) error {
	if errors.Is(err, context.Canceled) && s.ctx.Err() != nil {
		return context.Cause(s.ctx)
	}
	c, failed := s.client()
	if failed != nil {
		return failed
	}
	var response minio.ErrorResponse
	if !errors.As(err, &response) {
		var request *url.Error
		if errors.As(err, &request) {
			err = request.Err
		}
		return c.redacted(fmt.Errorf("%s: %w", c.EndpointURL().Host, err))
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
		return reason{fs.ErrPermission, "the secret key does not fit the access key"}
	case "ExpiredToken", "ExpiredTokenException":
		return reason{fs.ErrPermission, "the session token has expired"}
	}
	switch {
	case response.StatusCode == http.StatusForbidden && c.anonymous:
		return fmt.Errorf("access denied, and %w", ErrNoCredentials)
	case response.StatusCode == http.StatusForbidden:
		return reason{fs.ErrPermission, "access denied"}
	}
	return c.redacted(fmt.Errorf("%s: %w", response.Code, response))
}

// redacted keeps an error's text free of credentials, whatever a server or a
// library has put into it.
func (c *client) redacted(err error) error {
	value, failed := c.credentials.GetWithContext(nil)
	text := err.Error()
	if failed == nil {
		for _, secret := range []string{value.SecretAccessKey, value.SessionToken, value.AccessKeyID} {
			if secret != "" {
				text = strings.ReplaceAll(text, secret, "***")
			}
		}
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}
