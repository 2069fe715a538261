package objectstore

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

const (
	// partBytes is the size of all parts except the last. A store takes 10 000 parts: objects of up
	// to 156 GiB.
	partBytes = 16 << 20
	// partsAtOnce parts are sent at once while the next is being filled.
	partsAtOnce = 3
	// abortWait is Store.AbortWait.
	abortWait = 5 * time.Second
)

// Upload is an unfinished object. It appears with Commit and not before; until then an existing
// object stays unchanged. Up to partBytes it is one request, beyond that a multipart upload.
type Upload struct {
	s           *Store
	c           *client
	name        string
	bucket, key string
	ctx         context.Context
	end         context.CancelCauseFunc // ends ctx

	part  []byte // not sent yet
	parts []*minio.CompletePart
	sends *errgroup.Group // of parts
	sctx  context.Context // their context

	mu   sync.Mutex
	id   string // of the multipart upload; "": there is none
	done bool   // committed or aborted
}

// Create begins an upload, whose requests end with ctx. One of Commit and Abort
// must follow.
func (s *Store) Create(ctx context.Context, name string) (*Upload, error) {
	bucket, key, err := split("create", name)
	if err == nil && key == "" {
		err = ErrName
	}
	if err != nil {
		return nil, s.fail("create", name, err)
	}
	c, err := s.client()
	if err != nil {
		return nil, s.fail("create", name, err)
	}
	u := &Upload{s: s, c: c, name: name, bucket: bucket, key: key}
	u.ctx, u.end = context.WithCancelCause(ctx)
	u.sends, u.sctx = errgroup.WithContext(u.ctx)
	u.sends.SetLimit(partsAtOnce)
	return u, nil
}

// Check finds out whether an object can be written, before there is data: it begins a multipart
// upload and aborts it.
func (s *Store) Check(ctx context.Context, name string) error {
	u, err := s.Create(ctx, name)
	if err != nil {
		return err
	}
	err = u.begin()
	return errors.Join(err, u.Abort())
}

// Write is not for concurrent use.
func (u *Upload) Write(data []byte) (n int, err error) {
	for len(data) > 0 {
		if u.part == nil {
			u.part = make([]byte, 0, partBytes)
		}
		m := min(len(data), cap(u.part)-len(u.part))
		u.part = append(u.part, data[:m]...)
		data, n = data[m:], n+m
		// A full part waits for one more byte: the object may end here.
		if len(u.part) == cap(u.part) && len(data) > 0 {
			if err := u.send(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// begin makes the upload a multipart upload.
func (u *Upload) begin() error {
	var id string
	err := u.c.call(u.ctx, func(ctx context.Context) (err error) {
		id, err = u.c.NewMultipartUpload(ctx, u.bucket, u.key, minio.PutObjectOptions{})
		return err
	})
	if err != nil {
		return u.fail(err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.id = id
	if u.done {
		return errors.Join(u.fail(errAborted), u.forget())
	}
	return nil
}

// errAborted is the error of methods that run beside Abort.
var errAborted = errors.New("the upload was aborted")

// send sends the full part, beside the parts that are being sent.
func (u *Upload) send() error {
	if u.parts == nil {
		if err := u.begin(); err != nil {
			return err
		}
	}
	if u.sctx.Err() != nil {
		return u.fail(cmp.Or(u.sends.Wait(), errAborted))
	}
	part := u.part
	u.part = nil
	sent := &minio.CompletePart{PartNumber: len(u.parts) + 1}
	u.parts = append(u.parts, sent)
	u.sends.Go(func() error {
		return u.c.call(u.sctx, func(ctx context.Context) error {
			answer, err := u.c.PutObjectPart(ctx, u.bucket, u.key, u.id, sent.PartNumber, bytes.NewReader(part), int64(len(part)),
				minio.PutObjectPartOptions{Md5Base64: sumOf(part)})
			sent.ETag = answer.ETag
			return err
		})
	})
	return nil
}

func sumOf(part []byte) string {
	sum := md5.Sum(part)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// Commit makes the object appear. After an error it has not appeared, unless only the server's
// answer was lost.
func (u *Upload) Commit() error {
	var err error
	if u.parts == nil {
		err = u.c.call(u.ctx, func(ctx context.Context) error {
			_, err := u.c.PutObject(ctx, u.bucket, u.key, bytes.NewReader(u.part), int64(len(u.part)), sumOf(u.part), "", minio.PutObjectOptions{})
			return err
		})
	} else {
		if err = u.send(); err == nil {
			err = u.sends.Wait()
		}
		if err == nil {
			parts := make([]minio.CompletePart, len(u.parts))
			for i, part := range u.parts {
				parts[i] = *part
			}
			err = u.c.call(u.ctx, func(ctx context.Context) error {
				_, err := u.c.CompleteMultipartUpload(ctx, u.bucket, u.key, u.id, parts, minio.PutObjectOptions{})
				return err
			})
		}
	}
	if err != nil {
		return u.fail(err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.done = true
	u.end(nil)
	return nil
}

// Abort makes the server forget the sent parts, even after the context has ended. After Commit, or
// a second time, it does nothing. It may be called beside the other methods, which then fail.
func (u *Upload) Abort() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.done {
		return nil
	}
	u.done = true
	u.end(errAborted)
	u.sends.Wait() // a later part would be kept
	return u.forget()
}

// forget ends the multipart upload; the caller holds the lock.
func (u *Upload) forget() error {
	if u.id == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(u.ctx), u.s.AbortWait)
	defer cancel()
	if err := u.c.call(ctx, func(ctx context.Context) error { return u.c.AbortMultipartUpload(ctx, u.bucket, u.key, u.id) }); err != nil {
		return u.s.fail("forget an upload to", u.name, err)
	}
	return nil
}

func (u *Upload) fail(err error) error {
	switch cause := context.Cause(u.ctx); cause {
	case nil:
	case errAborted:
		err = cause
	default:
		return cause
	}
	return u.s.fail("write", u.name, err)
}

var _ io.Writer = (*Upload)(nil)
