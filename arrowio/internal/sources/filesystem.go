package sources

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
	"slices"
	"strings"
	"sync"

	"bcstage/arrowio/internal/faults"
)

// folders is the file system of paths: this machine, or one of Options.FileSystems. Paths
// go in and come out as the user writes them.
type folders interface {
	stat(path string) (fs.FileInfo, error)
	exists(path string) (bool, error)          // of a link, whatever its target
	list(folder string) ([]fs.DirEntry, error) // sorted by name
	join(folder, name string) string
	above(file string) []string                              // folders that contain a file, the nearest first
	split(pattern string) (folder string, elements []string) // see the function split
	literal(element string) bool                             // without *?[, no character of an element is special
	match(element, name string) (bool, error)
}

var schemed = regexp.MustCompile(`^([a-z][a-z0-9+.-]*)://`)

// foldersOf finds the file system of a path by its scheme.
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
	return nil, faults.Usage("%s: %s is not supported here", path, match[0])
}

type local struct{}

func (local) stat(path string) (fs.FileInfo, error)     { return os.Stat(path) }
func (local) list(folder string) ([]fs.DirEntry, error) { return os.ReadDir(folder) }
func (local) join(folder, name string) string           { return filepath.Join(folder, name) }
func (local) match(element, name string) (bool, error)  { return filepath.Match(element, name) }

func (local) literal(element string) bool {
	return filepath.Separator == '\\' || !strings.Contains(element, `\`)
}

func (local) exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (l local) split(pattern string) (folder string, elements []string) {
	volume := filepath.VolumeName(pattern)
	elements = strings.Split(filepath.ToSlash(pattern[len(volume):]), "/")
	elements = slices.DeleteFunc(elements, func(element string) bool { return element == "" })
	n := slices.IndexFunc(elements, func(element string) bool { return isPattern(element) || !l.literal(element) })
	folder = filepath.FromSlash(path.Join(elements[:n]...))
	switch {
	case filepath.IsAbs(pattern):
		folder = volume + string(filepath.Separator) + folder
	case volume+folder == "":
		folder = "."
	default:
		folder = volume + folder
	}
	return folder, elements[n:]
}

// above goes up to the root from the file as named, then from its absolute path, then from
// the targets of links.
func (local) above(file string) []string {
	list := climb(nil, file, filepath.Dir)
	for _, find := range []func(string) (string, error){filepath.Abs, filepath.EvalSymlinks} {
		var err error
		if file, err = find(file); err != nil {
			break
		}
		list = climb(list, file, filepath.Dir)
	}
	return list
}

// climb adds the folders that contain a path, the nearest first, up to one that readers of
// folders skip: a table above it does not include its files.
func climb(list []string, path string, dir func(string) string) []string {
	for {
		above := dir(path)
		if above == path {
			return list
		}
		path = above
		list = append(list, path)
		if hidden(filepath.Base(path)) { // also "." and "..", where the given names end
			return list
		}
	}
}

// remote is a file system of the options, under its scheme.
type remote struct {
	fs.FS
	scheme string // "s3://"
}

// name is a path in the file system's form.
func (r remote) name(of string) string {
	return strings.TrimSuffix(strings.TrimPrefix(of, r.scheme), "/")
}

func (r remote) stat(path string) (fs.FileInfo, error) { return fs.Stat(r.FS, r.name(path)) }

func (r remote) exists(path string) (bool, error) {
	_, err := r.stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (remote) match(element, name string) (bool, error) { return path.Match(element, name) }
func (remote) literal(element string) bool              { return !strings.Contains(element, `\`) }

func (r remote) split(pattern string) (folder string, elements []string) {
	elements = strings.Split(r.name(pattern), "/")
	n := slices.IndexFunc(elements, func(element string) bool { return isPattern(element) || !r.literal(element) })
	return r.scheme + path.Join(elements[:n]...), elements[n:]
}

func (r remote) above(file string) []string {
	list := climb(nil, r.name(file), path.Dir)
	list = slices.DeleteFunc(list, func(name string) bool { return name == "." })
	for i := range list {
		list[i] = r.scheme + list[i]
	}
	return list
}

func (r remote) list(folder string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, r.name(folder)) }

func (r remote) join(folder, name string) string { return r.scheme + path.Join(r.name(folder), name) }

// open opens a file for an input. A file that cannot be read at random is only a stream.
func (r remote) open(ctx context.Context, in *Input) (raw io.Reader, err error) {
	file, err := r.FS.Open(r.name(in.Name))
	if err != nil {
		return nil, err
	}
	in.cleanup = append(in.cleanup, func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, faults.Usage("%s is a folder", in.Name)
	}
	// A read in progress ends with the file.
	in.cleanup = append(in.cleanup, onEnd(ctx, func() { file.Close() }))
	at, ok := file.(io.ReaderAt)
	if !ok {
		return &cancelReader{ctx, file.Read}, nil
	}
	far := &FarFile{file: at, size: info.Size()}
	in.cleanup = append(in.cleanup, func() {
		in.Stop()
		far.pending.Wait()
	})
	if err := far.begin(); err != nil {
		return nil, fmt.Errorf("%s: reading: %w", in.Name, err)
	}
	in.File = far
	all := NewAhead(far, []Stretch{{int64(len(far.head)), far.size}})
	return &cancelReader{ctx, io.NewSectionReader(all, 0, far.size).Read}, nil
}

// RandomFile is an input that is read at random.
type RandomFile interface {
	io.ReaderAt
	Size() int64
}

// osFile is a regular file of this machine.
type osFile struct {
	*os.File
	size int64
}

func (f osFile) Size() int64 { return f.size }

// FarFile is a file for which each read is a request over a network. Its first bytes are
// kept: they tell the format and may be all.
type FarFile struct {
	file    io.ReaderAt
	size    int64
	head    []byte
	pending sync.WaitGroup // fetches under way
}

func (f *FarFile) Size() int64 { return f.size }

// begin fetches the head.
func (f *FarFile) begin() error {
	head := make([]byte, min(f.size, HeadBytes))
	if _, err := io.ReadFull(io.NewSectionReader(f.file, 0, f.size), head); err != nil {
		return err
	}
	f.head = head
	return nil
}

func (f *FarFile) ReadAt(p []byte, offset int64) (int, error) {
	if offset+int64(len(p)) <= int64(len(f.head)) {
		return copy(p, f.head[offset:]), nil
	}
	return f.file.ReadAt(p, offset)
}
