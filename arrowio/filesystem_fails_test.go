package arrowio

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"bcstage/arrowio/tables"
)

// locked is a file system with one folder that cannot be listed.
type locked struct {
	fs.FS
	folder string
}

func (l locked) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == l.folder {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrPermission}
	}
	return fs.ReadDir(l.FS, name)
}

// A pattern over a folder that cannot be listed would leave edges out.
func TestFarGlobFails(t *testing.T) {
	files := fstest.MapFS{"b/year=1/part.csv": {Data: []byte("1,2\n")}, "b/year=2/part.csv": {Data: []byte("3,4\n")}, "b/year=x": {Data: []byte("no folder")}}
	opts := tables.Options{Paths: []string{"far://b/year=*/*.csv"}, FileSystems: map[string]fs.FS{"far": files}}
	if got, err := readAll(t.Context(), opts); err != nil || got.edges() != "1>2 3>4" {
		t.Errorf("%q, %v", got.edges(), err)
	}
	opts.FileSystems["far"] = locked{files, "b/year=2"}
	if got, err := readAll(t.Context(), opts); !errors.Is(err, fs.ErrPermission) || errors.Is(err, tables.ErrUsage) {
		t.Errorf("%q, %v", got.edges(), err)
	}
}

// A failed request does not mean a damaged file.
func TestFarReadFails(t *testing.T) {
	text := someEdges(200_000)
	files := map[string][]byte{
		"b/edges.csv": text, "b/edges.csv.zst": compressors["zstd"](text),
		"b/edges.parquet": wideParquet(t, 50_000, 20_000), "b/edges.arrow": wideArrow(t, 50_000),
	}
	for name, data := range files {
		for _, at := range []int64{1, int64(len(data)) / 2, int64(len(data)) - 1} {
			f := newFar(files)
			f.fail = at
			_, err := readAll(t.Context(), f.options("far://"+name))
			// The middle of the Parquet file is in a column that is not read.
			if name == "b/edges.parquet" && at == int64(len(data))/2 && err == nil {
				continue
			}
			if !errors.Is(err, errFar) || errors.Is(err, tables.ErrCorrupt) || !strings.Contains(err.Error(), "far://"+name) {
				t.Errorf("%s, byte %d: %v", name, at, err)
			}
		}
	}
}

// stuck is a file whose first bytes come, and then nothing until it is closed.
type stuck struct {
	fs.File
	asked, closed chan struct{}
	once          *sync.Once
}

func (s stuck) ReadAt(p []byte, offset int64) (int, error) {
	if offset == 0 {
		return s.File.(io.ReaderAt).ReadAt(p, offset)
	}
	s.once.Do(func() { close(s.asked) })
	<-s.closed
	return 0, fs.ErrClosed
}

func (s stuck) Close() error {
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	return nil
}

type stuckFS struct {
	fs.FS
	file stuck
}

func (s stuckFS) Open(name string) (fs.File, error) {
	file, err := s.FS.Open(name)
	s.file.File = file
	return s.file, err
}

func (s stuckFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(s.FS, name) }

func TestCancelFarRead(t *testing.T) {
	inner := fstest.MapFS{"edges.csv": {Data: someEdges(100_000)}}
	s := stuck{asked: make(chan struct{}), closed: make(chan struct{}), once: new(sync.Once)}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-s.asked
		cancel()
	}()
	opts := tables.Options{Paths: []string{"far://edges.csv"}, FileSystems: map[string]fs.FS{"far": stuckFS{inner, s}}}
	if _, err := readAll(ctx, opts); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
