package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/minio/minio-go/v7"
)

// bodyTries is the number of requests for the rest of a body that breaks off.
const bodyTries = 4

// object is an open object. Each ReadAt is one request.
type object struct {
	*io.SectionReader
	*info
	s      *Store
	name   string
	ctx    context.Context
	cancel context.CancelFunc
}

func (s *Store) open(name string, i *info) *object {
	o := &object{info: i, s: s, name: name}
	o.ctx, o.cancel = context.WithCancel(s.ctx)
	o.SectionReader = io.NewSectionReader(ranges{o}, 0, i.size)
	return o
}

func (o *object) Size() int64                { return o.info.size }
func (o *object) Stat() (fs.FileInfo, error) { return o.info, nil }

func (o *object) Close() error {
	o.cancel()
	return nil
}

// ranges reads an object by ranges of its bytes.
type ranges struct{ *object }

func (r ranges) ReadAt(p []byte, offset int64) (n int, err error) {
	for try := 1; n < len(p); try++ {
		m, err := r.get(p[n:], offset+int64(n))
		n += m
		var broken *brokenBody
		switch {
		case err == nil:
		case r.ctx.Err() != nil && r.s.ctx.Err() == nil:
			return n, fs.ErrClosed
		case errors.As(err, &broken) && (m > 0 || try < bodyTries):
		default:
			return n, r.s.explain(err)
		}
	}
	return n, nil
}

// brokenBody is a body that broke off. It hides io.EOF: the object is not at its end.
type brokenBody struct{ err error }

func (b *brokenBody) Error() string { return "connection lost: " + b.err.Error() }

// get makes one request.
func (r ranges) get(p []byte, offset int64) (n int, err error) {
	c, err := r.s.client()
	if err != nil {
		return 0, err
	}
	bucket, key, err := split("read", r.name)
	if err != nil {
		return 0, err
	}
	var opts minio.GetObjectOptions
	if offset > math.MaxInt64-int64(len(p)) {
		return 0, fs.ErrInvalid
	}
	want := fmt.Sprintf("bytes %d-", offset)
	opts.Set("Range", fmt.Sprintf("bytes=%d-%d", offset, offset+int64(len(p))-1))
	if r.etag != "" {
		if err := opts.SetMatchETag(r.etag); err != nil {
			return 0, err
		}
	}
	err = c.call(r.ctx, func(ctx context.Context) error {
		body, _, header, err := c.GetObject(ctx, bucket, key, opts)
		if err != nil {
			return err
		}
		defer body.Close()
		if got := header.Get("Content-Range"); !strings.HasPrefix(got, want) {
			return fmt.Errorf("asked for %s, the server sent %q", want, got)
		}
		if n, err = io.ReadFull(body, p); err != nil && !timedOut(err) {
			return &brokenBody{err}
		}
		return err
	})
	return n, err
}
