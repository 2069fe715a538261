package arrowio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/compress"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"

	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/internal/parquetpages"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
)

// span is a part of a file.
type span struct{ start, end int64 }

// far is a file system that keeps a list of reads.
type far struct {
	fstest.MapFS
	fail int64 // reads of this byte fail; 0: none

	mu    sync.Mutex
	reads map[string][]span
}

func newFar(files map[string][]byte) *far {
	f := &far{MapFS: fstest.MapFS{}, reads: map[string][]span{}}
	for name, data := range files {
		f.MapFS[name] = &fstest.MapFile{Data: data}
	}
	return f
}

func (f *far) options(paths ...string) tables.Options {
	return tables.Options{Paths: paths, FileSystems: map[string]fs.FS{"far": f}}
}

func (f *far) Open(name string) (fs.File, error) {
	file, err := f.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || info.IsDir() {
		return file, err
	}
	return &farTestFile{file, f, name}, nil
}

type farTestFile struct {
	fs.File
	of   *far
	name string
}

var errFar = errors.New("line is down")

func (f *farTestFile) Read([]byte) (int, error) {
	panic("a file that can be read at random is not read otherwise")
}

func (f *farTestFile) ReadAt(p []byte, offset int64) (int, error) {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	read := span{offset, offset + int64(len(p))}
	f.of.reads[f.name] = append(f.of.reads[f.name], read)
	if f.of.fail > 0 && read.start <= f.of.fail && f.of.fail < read.end {
		return 0, errFar
	}
	return f.File.(io.ReaderAt).ReadAt(p, offset)
}

// total is the number of reads, and of bytes read.
func (f *far) total() (reads int, bytes int64) {
	for _, all := range f.reads {
		for _, r := range all {
			reads, bytes = reads+1, bytes+r.end-r.start
		}
	}
	return reads, bytes
}

// wideTable has src, dst and eight columns that are not used.
func wideTable(rows int) (*arrow.Schema, arrow.Record) {
	fields := []arrow.Field{{Name: "src", Type: arrow.PrimitiveTypes.Int64}}
	for i := range 8 {
		fields = append(fields, arrow.Field{Name: fmt.Sprint("other", i), Type: arrow.PrimitiveTypes.Int64})
	}
	fields = append(fields, arrow.Field{Name: "dst", Type: arrow.PrimitiveTypes.Int64})
	wide := arrow.NewSchema(fields, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, wide)
	defer builder.Release()
	random := uint64(1)
	for row := range rows {
		for i := range fields {
			random = random*6364136223846793005 + 1442695040888963407
			builder.Field(i).(*array.Int64Builder).Append(int64(random>>40) + int64(row))
		}
	}
	return wide, builder.NewRecord()
}

func wideParquet(t *testing.T, rows, group int) []byte {
	wide, record := wideTable(rows)
	defer record.Release()
	var columns schema.FieldList
	for _, field := range wide.Fields() {
		columns = append(columns, schema.NewInt64Node(field.Name, parquet.Repetitions.Required, -1))
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, columns, -1)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	f := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(false))))
	for first := 0; first < rows; first += group {
		g := f.AppendRowGroup()
		for _, column := range record.Columns() {
			chunk, err := g.NextColumn()
			if err != nil {
				t.Fatal(err)
			}
			values := column.(*array.Int64).Int64Values()[first:min(first+group, rows)]
			if _, err := chunk.(*file.Int64ColumnChunkWriter).WriteBatch(values, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func wideArrow(t *testing.T, rows int) []byte {
	wide, record := wideTable(rows)
	defer record.Release()
	out := &positioned{w: new(bytes.Buffer)}
	w, err := ipc.NewFileWriter(out, ipc.WithSchema(wide))
	for first := int64(0); err == nil && first < int64(rows); first += 10_000 {
		slice := record.NewSlice(first, min(first+10_000, int64(rows)))
		err = w.Write(slice)
		slice.Release()
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.w.(*bytes.Buffer).Bytes()
}

// Files read over a network equal files read from a disk.
func TestFarFilesReadAsNearOnes(t *testing.T) {
	text := someEdges(100_000)
	files := map[string][]byte{
		"b/edges.parquet": wideParquet(t, 100_000, 30_000),
		"b/edges.arrow":   wideArrow(t, 100_000),
		"b/edges.csv":     text,
		"b/edges.csv.zst": compressors["zstd"](text),
		"b/tiny.csv":      []byte("src,dst\n1,2\n"),
		"b/none.csv":      {},
	}
	for _, fixture := range []string{"view_words.arrows", "feather2.feather", "fallback_words.parquet"} {
		data, err := os.ReadFile(filepath.Join(fixtureFolder, fixture))
		if err != nil {
			t.Fatal(err)
		}
		files["b/"+fixture] = data
	}
	for name, data := range files {
		t.Run(path.Base(name), func(t *testing.T) {
			near, nearErr := readAll(t.Context(), tables.Options{Paths: []string{writeFile(t, path.Base(name), string(data))}})
			got, err := readAll(t.Context(), newFar(files).options("far://"+name))
			if (err == nil) != (nearErr == nil) || errors.Is(err, tables.ErrInput) != errors.Is(nearErr, tables.ErrInput) {
				t.Fatalf("%v, but %v from disk", err, nearErr)
			}
			if err == nil && (!slices.Equal(got.src, near.src) || !slices.Equal(got.dst, near.dst)) {
				t.Errorf("other edges: %d, and %d from disk", len(got.src), len(near.src))
			}
		})
	}
}

// Two of ten columns are used: little more is fetched, in few requests, the
// same for every row group of a large file.
func TestParquetIsFetchedInPart(t *testing.T) {
	data := wideParquet(t, 200_000, 50_000)
	f := newFar(map[string][]byte{"b/wide.parquet": data})
	if _, err := readAll(t.Context(), f.options("far://b/wide.parquet")); err != nil {
		t.Fatal(err)
	}
	reads, fetched := f.total()
	// Head, tail, and two columns of four row groups.
	if reads != 2+2*4 {
		t.Errorf("%d requests, want 10: %v", reads, f.reads)
	}
	if most := int64(len(data))*2/10 + sources.HeadBytes + parquetfile.TailBytes + 8*parquetpages.HeaderBytes + int64(len(data))/50; fetched > most {
		t.Errorf("%d bytes of %d, want at most %d", fetched, len(data), most)
	}
}

// A file in stretches of windows is fetched once.
func TestFarFilesAreFetchedOnce(t *testing.T) {
	text := someEdges(1_300_000) // more than two windows
	f := newFar(map[string][]byte{"b/edges.txt": text, "b/edges.arrow": wideArrow(t, 120_000)})
	for _, name := range []string{"b/edges.txt", "b/edges.arrow"} {
		if _, err := readAll(t.Context(), f.options("far://"+name)); err != nil {
			t.Fatal(err)
		}
		reads := slices.Clone(f.reads[name])
		slices.SortFunc(reads, func(a, b span) int { return int(a.start - b.start) })
		size, fetched := int64(len(f.MapFS[name].Data)), int64(0)
		for _, r := range reads {
			fetched += r.end - r.start
		}
		// The head of an Arrow file is fetched to recognise it, and then its
		// footer.
		if most := size/sources.WindowBytes + 5; int64(len(reads)) > most || fetched > size+sources.HeadBytes+4096 {
			t.Errorf("%s: %d requests of %d bytes for %d", name, len(reads), fetched, size)
		}
	}
}

func TestFarPaths(t *testing.T) {
	f := newFar(map[string][]byte{
		"b/lake/year=1/part-0.csv": []byte("src,dst\n1,2\n"),
		"b/lake/year=1/part-1.csv": []byte("src,dst\n2,3\n"),
		"b/lake/year=2/part-0.csv": []byte("src,dst\n3,4\n"),
		"b/lake/_SUCCESS":          {},
	})
	for _, test := range []struct{ path, edges string }{
		{"far://b/lake", "1>2 2>3 3>4"},
		{"far://b/lake/", "1>2 2>3 3>4"},
		{"far://b/lake/*/part-0.csv", "1>2 3>4"},
		{"far://b/**/part-0.csv", "1>2 3>4"},
		{"far://b/lake/**/part-*.csv", "1>2 2>3 3>4"},
		{"far://b/lake/year=1/**", "1>2 2>3"},
		{"far://b/lake/year=1/**/part-1.csv", "2>3"},
		{"far://b/**/year=2/*", "3>4"},
		{"far://b/lake/year=1/part-1.csv", "2>3"},
	} {
		got, err := readAll(t.Context(), f.options(test.path))
		if err != nil || got.edges() != test.edges {
			t.Errorf("%s: %q, %v", test.path, got.edges(), err)
		}
	}
	for _, test := range []struct {
		path, says string
		class      error
	}{
		{"far://b/lake/year=3", "file does not exist", fs.ErrNotExist},
		{"far://b/lake/*.parquet", "matches no file", tables.ErrUsage},
		{"gs://b/edges.csv", "gs:// is not supported here", tables.ErrUsage},
	} {
		if _, err := readAll(t.Context(), f.options(test.path)); !errors.Is(err, test.class) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", test.path, err)
		}
	}
}

// A file system without random access is read as a stream, and Parquet spooled.
func TestStreamsOfFileSystems(t *testing.T) {
	files := map[string][]byte{"edges.csv": someEdges(100_000), "edges.parquet": wideParquet(t, 1000, 1000)}
	for name := range files {
		opts := tables.Options{Paths: []string{"far://" + name}, FileSystems: map[string]fs.FS{"far": streams{newFar(files).MapFS}}, TempDir: t.TempDir()}
		if got, err := readAll(t.Context(), opts); err != nil || len(got.src) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type streams struct{ fs.FS }

func (s streams) Open(name string) (fs.File, error) {
	file, err := s.FS.Open(name)
	return struct{ fs.File }{file}, err
}
