package objectstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"sort"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// info describes an object, or a folder, which is the common beginning of keys.
type info struct {
	name    string // the last element
	size    int64
	changed time.Time
	etag    string
	folder  bool
}

func (i *info) Name() string               { return i.name }
func (i *info) Size() int64                { return i.size }
func (i *info) ModTime() time.Time         { return i.changed }
func (i *info) IsDir() bool                { return i.folder }
func (i *info) Sys() any                   { return nil }
func (i *info) Type() fs.FileMode          { return i.Mode().Type() }
func (i *info) Info() (fs.FileInfo, error) { return i, nil }

func (i *info) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

func infoOf(o minio.ObjectInfo) *info {
	return &info{name: path.Base(o.Key), size: o.Size, changed: o.LastModified, etag: o.ETag}
}

// Stat finds an object, or else a folder.
func (s *Store) Stat(name string) (fs.FileInfo, error) {
	found, err := s.stat(name)
	if err != nil {
		return nil, s.fail("stat", name, err)
	}
	return found, nil
}

func (s *Store) stat(name string) (*info, error) {
	bucket, key, err := split("stat", name)
	if err != nil {
		return nil, err
	}
	if key == "" {
		return &info{name: bucket, folder: true}, nil
	}
	s.mu.Lock()
	known := s.listed[name]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	c, err := s.client()
	if err != nil {
		return nil, err
	}
	var object minio.ObjectInfo
	err = c.call(s.ctx, func(ctx context.Context) (err error) {
		object, err = c.StatObject(ctx, bucket, key, minio.StatObjectOptions{})
		return err
	})
	var response minio.ErrorResponse
	switch {
	case err == nil:
		known = infoOf(object)
	case !errors.As(err, &response):
		return nil, err
	case response.StatusCode == http.StatusForbidden:
		// An answer to HEAD gives no reason; one to GET does.
		why := c.call(s.ctx, func(ctx context.Context) error {
			body, _, _, err := c.GetObject(ctx, bucket, key, minio.GetObjectOptions{})
			if err == nil {
				body.Close()
			}
			return err
		})
		return nil, cmp.Or(why, err)
	case response.Code != minio.NoSuchKey:
		return nil, err
	default:
		known, err = s.folder(c, bucket, key, err)
		if err != nil {
			return nil, err
		}
	}
	s.remember(name, known)
	return known, nil
}

// Version returns a text that names the present version of an object, on its server.
func (s *Store) Version(name string) (string, error) {
	found, err := s.stat(name)
	if err != nil {
		return "", s.fail("stat", name, err)
	}
	c, err := s.client() // stat has made it
	if err != nil {
		return "", s.fail("stat", name, err)
	}
	return fmt.Sprint(c.EndpointURL(), " ", name, " ", found.etag, " ", found.size), nil
}

// Remove removes an object. A missing one is not an error.
func (s *Store) Remove(ctx context.Context, name string) error {
	bucket, key, err := split("remove", name)
	if err != nil {
		return err
	}
	c, err := s.client()
	if err == nil {
		err = c.call(ctx, func(ctx context.Context) error { return c.RemoveObject(ctx, bucket, key, minio.RemoveObjectOptions{}) })
	}
	if err != nil {
		return s.fail("remove", name, err)
	}
	return nil
}

// folder returns the folder of the keys that begin with key/, if there are any, or else missing. It
// distinguishes a missing bucket from a missing object, which a HEAD request does not.
func (s *Store) folder(c *client, bucket, key string, missing error) (*info, error) {
	found := false
	err := c.call(s.ctx, func(ctx context.Context) error {
		for object := range c.ListObjectsIter(ctx, bucket, minio.ListObjectsOptions{Prefix: key + "/", Recursive: true, MaxKeys: 1}) {
			found = object.Err == nil
			return object.Err
		}
		return nil
	})
	var response minio.ErrorResponse
	switch {
	case found:
		return &info{name: path.Base(key), folder: true}, nil
	case err != nil && !(errors.As(err, &response) && response.StatusCode == http.StatusForbidden): // the right to list is separate
		return nil, err
	}
	return nil, missing
}

func (s *Store) remember(name string, i *info) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listed[name] = i
}

// ReadDir lists a folder, sorted by name. It omits keys that end with a slash, which some tools
// create for folders.
func (s *Store) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.readDir(name)
	if err != nil {
		return nil, s.fail("readdir", name, err)
	}
	return entries, nil
}

func (s *Store) readDir(name string) (entries []fs.DirEntry, err error) {
	bucket, key, err := split("readdir", name)
	if err != nil {
		return nil, err
	}
	c, err := s.client()
	if err != nil {
		return nil, err
	}
	prefix := ""
	if key != "" {
		prefix = key + "/"
	}
	exists := prefix == ""
	err = c.call(s.ctx, func(ctx context.Context) error {
		for object := range c.ListObjectsIter(ctx, bucket, minio.ListObjectsOptions{Prefix: prefix}) {
			if object.Err != nil {
				return object.Err
			}
			exists = true
			rest := strings.TrimPrefix(object.Key, prefix)
			if rest == "" {
				continue
			}
			last, folder := strings.CutSuffix(rest, "/")
			if !fs.ValidPath(last) {
				return reason{ErrName, fmt.Sprintf("key %q has an empty name between slashes", object.Key)}
			}
			entry := infoOf(object)
			entry.name = last
			if entry.folder = folder; !folder {
				s.remember(path.Join(name, last), entry)
			}
			entries = append(entries, entry)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case !exists:
		return nil, reason{fs.ErrNotExist, "no such object"}
	}
	sort.SliceStable(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	return entries, nil
}

// Open opens an object, whose file is an io.ReaderAt and io.Seeker, or a folder. Closing the file
// ends running reads. All reads are of one version of the object; if it is replaced, they fail.
func (s *Store) Open(name string) (fs.File, error) {
	found, err := s.stat(name)
	if err == nil && found.folder {
		return &folderFile{s, name, found, nil, false}, nil
	}
	if err != nil {
		return nil, s.fail("open", name, err)
	}
	return s.open(name, found), nil
}

// folderFile is an fs.ReadDirFile.
type folderFile struct {
	s    *Store
	name string
	*info
	left []fs.DirEntry
	read bool
}

func (f *folderFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folderFile) Close() error               { return nil }
func (f *folderFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: Scheme + "://" + f.name, Err: errors.New("is a folder")}
}

func (f *folderFile) ReadDir(n int) (entries []fs.DirEntry, err error) {
	if !f.read {
		if f.left, err = f.s.ReadDir(f.name); err != nil {
			return nil, err
		}
		f.read = true
	}
	if n <= 0 || n > len(f.left) {
		if n > 0 && len(f.left) == 0 {
			return nil, io.EOF
		}
		n = len(f.left)
	}
	entries, f.left = f.left[:n], f.left[n:]
	return entries, nil
}
