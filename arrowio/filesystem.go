package arrowio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// folders is where paths lie: on this machine, or in one of
// Options.FileSystems. Paths go in and come out as the user writes them.
type folders interface {
	stat(path string) (fs.FileInfo, error)
	glob(pattern string) ([]string, error)
	list(folder string) ([]fs.DirEntry, error) // sorted by name
	join(folder, name string) string
}

var schemed = regexp.MustCompile(`^([a-z][a-z0-9+.-]*)://`)

// foldersOf finds where a path lies by its scheme.
func (o *Options) foldersOf(path string) (folders, error) {
	match := schemed.FindStringSubmatch(path)
	if match == nil {
		return local{}, nil
	}
	if fsys := o.FileSystems[match[1]]; fsys != nil {
		return remote{fsys, match[0]}, nil
	}
	if _, err := os.Lstat(path); err == nil {
		return local{}, nil // a folder may well be called "odd:"
	}
	return nil, usage("%s: %s is not supported here", path, match[0])
}

type local struct{}

func (local) stat(path string) (fs.FileInfo, error)     { return os.Stat(path) }
func (local) glob(pattern string) ([]string, error)     { return filepath.Glob(pattern) }
func (local) list(folder string) ([]fs.DirEntry, error) { return os.ReadDir(folder) }
func (local) join(folder, name string) string           { return filepath.Join(folder, name) }

// remote is a file system of the options, under its scheme.
type remote struct {
	fs.FS
	scheme string // "s3://"
}

// name is a path as the file system has it.
func (r remote) name(of string) string {
	return strings.TrimSuffix(strings.TrimPrefix(of, r.scheme), "/")
}

func (r remote) stat(path string) (fs.FileInfo, error) { return fs.Stat(r.FS, r.name(path)) }

func (r remote) glob(pattern string) ([]string, error) {
	listed := &listing{FS: r.FS}
	names, err := fs.Glob(listed, r.name(pattern))
	if err == nil {
		err = listed.failed
	}
	for i := range names {
		names[i] = r.scheme + names[i]
	}
	return names, err
}

// listing keeps the first error of listing a folder, which fs.Glob ignores: the
// files in it would be missing without a word.
type listing struct {
	fs.FS
	failed error
}

func (l *listing) Stat(name string) (fs.FileInfo, error) { return fs.Stat(l.FS, name) }

func (l *listing) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(l.FS, name)
	if err != nil && l.failed == nil && !errors.Is(err, fs.ErrNotExist) {
		if info, unknown := fs.Stat(l.FS, name); unknown != nil || info.IsDir() {
			l.failed = err
		}
	}
	return entries, err
}

func (r remote) list(folder string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, r.name(folder)) }

func (r remote) join(folder, name string) string { return r.scheme + path.Join(r.name(folder), name) }

// open opens a file for an input. What cannot be read at random is only a
// stream.
func (r remote) open(ctx context.Context, in *input) (raw io.Reader, err error) {
	file, err := r.FS.Open(r.name(in.name))
	if err != nil {
		return nil, err
	}
	in.cleanup = append(in.cleanup, func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, usage("%s is a folder", in.name)
	}
	// A read in progress ends with the file.
	in.cleanup = append(in.cleanup, onEnd(ctx, func() { file.Close() }))
	at, ok := file.(io.ReaderAt)
	if !ok {
		return &cancelReader{ctx, file.Read}, nil
	}
	far := &farFile{file: at, size: info.Size()}
	in.cleanup = append(in.cleanup, func() {
		in.stop()
		far.pending.Wait()
	})
	if err := far.begin(); err != nil {
		return nil, fmt.Errorf("%s: reading: %w", in.name, err)
	}
	in.file = far
	return &cancelReader{ctx, newSequence(far).Read}, nil
}

// randomFile is an input that is read at random.
type randomFile interface {
	io.ReaderAt
	Size() int64
}

// osFile is a regular file of this machine.
type osFile struct {
	*os.File
	size int64
}

func (f osFile) Size() int64 { return f.size }

// farFile is a file for which each read is a request over a network: its first
// bytes, which tell the format and may be all, are kept.
type farFile struct {
	file    io.ReaderAt
	size    int64
	head    []byte
	pending sync.WaitGroup // fetches on their way
}

func (f *farFile) Size() int64 { return f.size }

// begin fetches the head.
func (f *farFile) begin() error {
	head := make([]byte, min(f.size, headBytes))
	if _, err := io.ReadFull(io.NewSectionReader(f.file, 0, f.size), head); err != nil {
		return err
	}
	f.head = head
	return nil
}

func (f *farFile) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) <= int64(len(f.head)) {
		return copy(p, f.head[offset:]), nil
	}
	return f.file.ReadAt(p, offset)
}
