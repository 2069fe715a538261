package arrowio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
)

// compressors make one member or frame of each compression.
var compressors = map[string]func([]byte) []byte{
	"gzip": func(text []byte) []byte {
		return through(text, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	},
	"zstd": func(text []byte) []byte {
		return through(text, func(w io.Writer) io.WriteCloser {
			z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			return z
		})
	},
	"lz4": func(text []byte) []byte {
		return through(text, func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) })
	},
	"lz4, small linked blocks": func(text []byte) []byte {
		return through(text, func(w io.Writer) io.WriteCloser {
			z := lz4.NewWriter(w)
			z.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.ChecksumOption(false), lz4.BlockChecksumOption(true))
			return z
		})
	},
	"snappy": func(text []byte) []byte {
		return through(text, func(w io.Writer) io.WriteCloser { return snappy.NewBufferedWriter(w) })
	},
	"s2": func(text []byte) []byte {
		return through(text, func(w io.Writer) io.WriteCloser { return s2.NewWriter(w, s2.WriterConcurrency(1)) })
	},
}

func through(text []byte, writer func(io.Writer) io.WriteCloser) []byte {
	var packed bytes.Buffer
	w := writer(&packed)
	w.Write(text)
	w.Close()
	return packed.Bytes()
}

// someEdges is a text of n edges, i>i+1.
func someEdges(n int) []byte {
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, "%d\t%d\n", i, i+1)
	}
	return text.Bytes()
}

func TestCompressed(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			packed := compress(someEdges(200_000))
			for input, opts := range map[string]tables.Options{
				"stdin": {Stdin: bytes.NewReader(packed)},
				"file":  {Paths: []string{writeFile(t, "no-ending", string(packed))}},
			} {
				got, err := readAll(t.Context(), opts)
				if err != nil || got.Rows != 200_000 || got.dst[199_999] != "200000" {
					t.Errorf("%s: %+v, %v", input, got.Summary, err)
				}
			}
			members := append(compress([]byte("1 2\n3")), compress([]byte(" 4\n"))...)
			got, err := readString(string(members), tables.Options{})
			if err != nil || got.edges() != "1>2 3>4" {
				t.Errorf("two members: %s, %v", got.edges(), err)
			}
		})
	}
}

// TestCompressedCutShort cuts two small members of every compression at every
// byte, and larger ones here and there.
func TestCompressedCutShort(t *testing.T) {
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			cutMembers(t, name, compress(someEdges(5)), compress(someEdges(20)), testgraphs.OneIn)
			larger := compress(someEdges(50_000))
			cutMembers(t, name, larger, larger, len(larger)*testgraphs.OneIn/20+1)
		})
	}
}

func cutMembers(t *testing.T, name string, first, second []byte, step int) {
	packed := append(bytes.Clone(first), second...)
	// A cut at a member's end is a whole input; so is one after a chunk of
	// snappy, which has no end mark.
	ends := map[int]bool{len(first): true}
	if name == "snappy" || name == "s2" {
		for at := 0; at < len(packed); {
			ends[at] = true
			at += 4 + int(packed[at+1]) + int(packed[at+2])<<8 + int(packed[at+3])<<16
		}
	}
	for cut := 1; cut < len(packed); cut += step {
		got, err := readString(string(packed[:cut]), tables.Options{})
		if !ends[cut] && !errors.Is(err, tables.ErrCorrupt) {
			t.Fatalf("cut to %d of %d bytes: %d edges, %v", cut, len(packed), got.Rows, err)
		}
	}
}

func TestDecompressionBomb(t *testing.T) {
	bomb := compressors["zstd"]([]byte(strings.Repeat("1\t2\n", 20<<20)))
	count := func(opts tables.Options) error {
		opts.Stdin = bytes.NewReader(bomb)
		edges := make(chan tables.Batch)
		go func() {
			for b := range edges {
				b.Release()
			}
		}()
		_, err := Read(t.Context(), opts, edges)
		return err
	}
	checkError(t, count(tables.Options{}), tables.ErrInput, "arrowio: standard input: zstd: expands more than 1000 times: refused as a decompression bomb")
	if err := count(tables.Options{MaxExpansion: 1 << 20}); err != nil {
		t.Error(err)
	}
}

// TestZstdWindow refuses a frame whose window takes excessive memory.
func TestZstdWindow(t *testing.T) {
	frame := []byte("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00") // window of 2 GiB, one empty raw block
	_, err := readString(string(frame), tables.Options{})
	if !errors.Is(err, tables.ErrCorrupt) {
		t.Error(err)
	}
}

// TestSourceErrors passes errors of the underlying reader through unchanged.
func TestSourceErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	for name, compress := range compressors {
		packed := compress(someEdges(50_000))
		for _, good := range []int{0, 1, 3, 20, len(packed) / 2, len(packed) - 1} {
			opts := tables.Options{Stdin: io.MultiReader(bytes.NewReader(packed[:good]), failing{broken})}
			if _, err := readAll(t.Context(), opts); !errors.Is(err, broken) || errors.Is(err, tables.ErrCorrupt) {
				t.Errorf("%s: after %d bytes: %v", name, good, err)
			}
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestRandom checks that an input without random access is spooled to an
// unlinked file.
func TestRandom(t *testing.T) {
	text := someEdges(100_000)
	packed := compressors["zstd"](text)
	plain, compressed := writeFile(t, "plain", string(text)), writeFile(t, "compressed", string(packed))
	spool := t.TempDir()
	for _, test := range []struct {
		name, path string
		stdin      io.Reader
	}{
		{"file", plain, nil},
		{"compressed file", compressed, nil},
		{"stdin", "-", bytes.NewReader(text)},
		{"compressed stdin", "-", bytes.NewReader(packed)},
	} {
		o, err := checked(tables.Options{Stdin: test.stdin, TempDir: spool})
		if err != nil {
			t.Fatal(err)
		}
		in, err := sources.Open(context.Background(), test.path, bytesOf(&o))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Head(); err != nil {
			t.Fatal(err)
		}
		section, err := in.Random()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(io.NewSectionReader(section, 0, section.Size()))
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes of %d, %v", test.name, len(got), len(text), err)
		}
		if left, _ := os.ReadDir(spool); len(left) > 0 {
			t.Errorf("%s: %v still has a name", test.name, left)
		}
		in.Close()
	}
	t.Run("redirected file", func(t *testing.T) {
		file, err := os.Open(plain)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for _, skip := range []int64{0, 7} {
			file.Seek(skip, io.SeekStart)
			o, _ := checked(tables.Options{Stdin: file, TempDir: spool})
			in, err := sources.Open(context.Background(), "-", bytesOf(&o))
			if err != nil {
				t.Fatal(err)
			}
			section, err := in.Random()
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(io.NewSectionReader(section, 0, section.Size()))
			if err != nil || !bytes.Equal(got, text[skip:]) || (in.File != nil) != (skip == 0) {
				t.Errorf("from %d: %d bytes, %v", skip, len(got), err)
			}
			in.Close()
		}
	})
	o, _ := checked(tables.Options{Stdin: bytes.NewReader(packed[:len(packed)-1])})
	in, err := sources.Open(context.Background(), "-", bytesOf(&o))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.Random(); !errors.Is(err, tables.ErrCorrupt) {
		t.Error("spooled a cut stream:", err)
	}
}
