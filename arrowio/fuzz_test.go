package arrowio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

// fuzzLimits keep a fuzzed input's demands small.
var fuzzLimits = tables.Options{MaxLine: 1 << 12, MaxVertices: 1 << 12, Threads: 2}

// readFuzzed reads data; an error must have a class. Ids of a table that was
// accepted must fit its type.
func readFuzzed(t *testing.T, data []byte, opts tables.Options) (*table, error) {
	opts.Stdin = bytes.NewReader(data)
	got, err := readAll(context.Background(), opts)
	if err != nil && !errors.Is(err, tables.ErrInput) && !errors.Is(err, tables.ErrCorrupt) && !errors.Is(err, tables.ErrUsage) {
		t.Fatalf("error without a class: %v", err)
	}
	if len(got.src) != len(got.dst) || err == nil && int64(len(got.src)) != got.Rows {
		t.Fatalf("%d sources, %d destinations, %d rows", len(got.src), len(got.dst), got.Rows)
	}
	return got, err
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"1 2\n2 3\n", "# c\r\n1\t2\r\n", "src,dst\n\"a\"\"\",b\n,\n", "%C3\tb\n", "3,2,u,g\n1,2\n2,3\n",
		"1,2,3\n4,5,6\n", "-1 18446744073709551615\n", "1 2 {}\n", "a;b\n", "id\n1\n", "\"a\nb\",c\n",
	} {
		f.Add([]byte(seed), byte(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, choice byte) {
		opts := fuzzLimits
		opts.Format = []tables.Format{tables.FormatAuto, tables.FormatCSV, tables.FormatEdgeList}[choice%3]
		opts.IDs = []tables.IDs{tables.IDsAuto, tables.IDsString, tables.IDsInt}[choice/3%3]
		opts.Nulls = []tables.Nulls{tables.NullsError, tables.NullsDrop}[choice/9%2]
		got, err := readFuzzed(t, data, opts)

		// Small chunks and no fast path give the same.
		opts.MaxLine = 64
		small, smallErr := readFuzzed(t, data, opts)
		if err == nil && smallErr == nil && (!slices.Equal(got.src, small.src) || !slices.Equal(got.dst, small.dst)) {
			t.Fatalf("%s\nin small chunks\n%s", got.edges(), small.edges())
		}
		// The result reads the same again as CSV.
		if err != nil || len(got.src) == 0 || opts.IDs == tables.IDsInt {
			return
		}
		text := []byte("src,dst\n")
		for i := range got.src {
			text = append(quoteCSV(text, got.src[i]), ',')
			text = append(quoteCSV(text, got.dst[i]), '\n')
		}
		opts = tables.Options{IDs: tables.IDsString}
		again, err := readFuzzed(t, text, opts)
		if err != nil || !slices.Equal(got.src, again.src) || !slices.Equal(got.dst, again.dst) {
			t.Fatalf("%s\nafter a round trip\n%s\n%v", got.edges(), again.edges(), err)
		}
	})
}

// FuzzHeader: a text read without a note about headers reads the same with the right
// header option, and fields are chosen by number in either order.
func FuzzHeader(f *testing.F) {
	for _, seed := range []string{
		"start,end\nann,bob\n", "ann,bob\nbob,cid\n", "u,v\nv,w\n", "src,dst,x\na,b,c\n", "a b\n1 2\n", "1 2 3\n",
		"3,2,u,g\n1,2\n2,3\n", "7\tann\tbob\n8\tbob\tcid\n", "0 1 2\n1 2\n", "\"a\",\"\"\nb,a\n",
	} {
		f.Add([]byte(seed), byte(1), byte(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, src, dst byte) {
		same := func(a, b *table) bool { return slices.Equal(a.src, b.src) && slices.Equal(a.dst, b.dst) }
		auto := fuzzLimits
		if src%2 == 1 {
			auto.IgnoreWeight = true
		}
		got, err := readFuzzed(t, data, auto)
		yes, no := auto, auto
		yes.Header, no.Header = tables.HeaderYes, tables.HeaderNo
		with, withErr := readFuzzed(t, data, yes)
		without, withoutErr := readFuzzed(t, data, no)
		if err == nil && !(withErr == nil && same(got, with)) && !(withoutErr == nil && same(got, without)) {
			t.Fatalf("%s, but with a header %s (%v), and without %s (%v)", got.edges(), with.edges(), withErr, without.edges(), withoutErr)
		}

		no.Src, no.Dst = strconv.Itoa(1+int(src%4)), strconv.Itoa(1+int(dst%4))
		there, err := readFuzzed(t, data, no)
		no.Src, no.Dst = no.Dst, no.Src
		back, backErr := readFuzzed(t, data, no)
		if err == nil && (backErr != nil || !slices.Equal(there.src, back.dst) || !slices.Equal(there.dst, back.src)) {
			t.Fatalf("%s, but backwards %s (%v)", there.edges(), back.edges(), backErr)
		}
	})
}

func quoteCSV(text []byte, value string) []byte {
	return fmt.Appendf(text, `"%s"`, strings.ReplaceAll(value, `"`, `""`))
}

// fuzzDeclared fuzzes a format whose vertices are numbered from 1.
func fuzzDeclared(f *testing.F, format tables.Format, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := fuzzLimits
		opts.Format, opts.IgnoreWeight = format, true
		got, err := readFuzzed(t, data, opts)
		if err != nil {
			return
		}
		for _, id := range slices.Concat(got.src, got.dst) {
			v, err := strconv.Atoi(id)
			if err != nil || v < 1 || v > len(got.vertices) {
				t.Fatalf("id %s of %d vertices", id, len(got.vertices))
			}
		}
		for i, id := range got.vertices {
			if id != strconv.Itoa(i+1) {
				t.Fatalf("vertex %d is %s", i, id)
			}
		}
	})
}

func FuzzMatrixMarket(f *testing.F) {
	fuzzDeclared(f, tables.FormatMTX,
		"%%MatrixMarket matrix coordinate pattern general\n% c\n3 3 2\n1 2\n3 1\n",
		"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 -1e3\n",
		"%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 1 1")
}

func FuzzMetis(f *testing.F) {
	fuzzDeclared(f, tables.FormatMETIS, "% c\n3 2\n2\n1 3\n2\n", "2 1 111 2\n9 5 5 2 7\n9 6 6 1 7\n", "4 1 0\n\n3\n2\n\n")
}

func FuzzDimacs(f *testing.F) {
	fuzzDeclared(f, tables.FormatDIMACS, "c a\np sp 3 2\na 1 2 9\nc b\na 2 1 -4\n", "p edge 3 1\ne 3 1\n", "p col 1 0\n")
}

func FuzzCompressed(f *testing.F) {
	for _, compress := range compressors {
		f.Add(compress(someEdges(3)))
		f.Add(append(compress(nil), compress([]byte("src,dst\na,b\n"))...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := fuzzLimits
		opts.MaxExpansion = 10
		readFuzzed(t, data, opts)
	})
}

// FuzzWeights checks that in any text, of any format, every edge has a length above 0.
func FuzzWeights(f *testing.F) {
	for i, text := range []string{
		"src,dst,value\n1,2,0.5\n2,3,1e-3\n", "1 2 3\n2 3 4.25\n", "1 2 {'weight': 7}\n", "a\tb\t.5\n",
		"p sp 3 2\na 1 2 7\na 2 3 10\n", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -3\n", "2 1 1\n2 7\n1 7\n",
	} {
		f.Add(text, uint8(i))
	}
	formats := []tables.Format{tables.FormatAuto, tables.FormatCSV, tables.FormatEdgeList, tables.FormatMTX, tables.FormatMETIS, tables.FormatDIMACS}
	f.Fuzz(func(t *testing.T, text string, kind uint8) {
		opts := tables.Options{Weight: []string{"value", "3", "weight"}[kind/8%3], Format: formats[int(kind)%len(formats)], Nulls: []tables.Nulls{tables.NullsError, tables.NullsDrop}[kind/64%2], MaxVertices: 1000, Threads: 2}
		edges := make(chan tables.Batch, 1)
		done := make(chan error)
		opts.Stdin = strings.NewReader(text)
		go func() {
			_, err := Read(t.Context(), opts, edges)
			done <- err
		}()
		for b := range edges {
			if b.Weights.Len() != b.Src.Len() || b.Weights.Exponents != nil && len(b.Weights.Exponents) != b.Src.Len() {
				t.Errorf("%q: %d lengths of %d edges", text, b.Weights.Len(), b.Src.Len())
			}
			for _, digits := range b.Weights.Digits {
				if digits < 1 {
					t.Errorf("%q: length %d", text, digits)
				}
			}
			b.Release()
		}
		if err := <-done; err != nil && !errors.Is(err, tables.ErrInput) && !errors.Is(err, tables.ErrCorrupt) && !errors.Is(err, tables.ErrUsage) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
