package arrowio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
	"bcstage/internal/testleaks"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }

// table is a copy of everything that a Read sent.
type table struct {
	src, dst, vertices []string // ids as text; integers by the sign of the id type
	batches            int
	tables.Summary
}

// edges is the table as "a>b c>d".
func (t *table) edges() string {
	var pairs []string
	for i := range t.src {
		pairs = append(pairs, t.src[i]+">"+t.dst[i])
	}
	return strings.Join(pairs, " ")
}

// readAll reads with opts, and returns everything up to the end or an error.
func readAll(ctx context.Context, opts tables.Options) (*table, error) {
	edges := make(chan tables.Batch, 2)
	read := &table{}
	done := make(chan struct{})
	type column struct {
		to   *[]string
		keys tables.Keys
	}
	var integers []func(signed bool)
	go func() {
		defer close(done)
		for b := range edges {
			read.batches++
			for _, c := range []column{{&read.src, b.Src}, {&read.dst, b.Dst}, {&read.vertices, b.Vertices}} {
				for i := range c.keys.Len() {
					if c.keys.Offsets == nil {
						id := c.keys.Ints[i]
						place := len(*c.to)
						*c.to = append(*c.to, strconv.FormatUint(id, 10))
						if int64(id) < 0 {
							integers = append(integers, func(signed bool) {
								if signed {
									(*c.to)[place] = strconv.FormatInt(int64(id), 10)
								}
							})
						}
						continue
					}
					*c.to = append(*c.to, string(c.keys.Bytes[c.keys.Offsets[i]:c.keys.Offsets[i+1]]))
				}
			}
			b.Release()
		}
	}()
	var err error
	read.Summary, err = Read(ctx, opts, edges)
	<-done
	for _, fix := range integers {
		fix(idtypes.Arrow(read.IDs).Name() != "uint64")
	}
	return read, err
}

// readString reads a text from standard input.
func readString(text string, opts tables.Options) (*table, error) {
	opts.Stdin = strings.NewReader(text)
	return readAll(context.Background(), opts)
}

// writeFile makes a file in a folder of the test's own, and returns its path.
func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// checkError expects an error of that class with exactly that text.
func checkError(t testing.TB, err, class error, text string) {
	t.Helper()
	if !errors.Is(err, class) {
		t.Errorf("error %v, want %v", err, class)
	} else if err.Error() != text {
		t.Errorf("error\n%s\nwant\n%s", err, text)
	}
}
