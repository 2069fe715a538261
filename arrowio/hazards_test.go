package arrowio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
)

// hazardInputs are small columnar inputs of every layout.
func hazardInputs(t testing.TB) map[string][]byte {
	inputs := make(map[string][]byte)
	for _, test := range idTypeTables {
		switch test.dt.ID() {
		case arrow.INT64, arrow.STRING, arrow.STRING_VIEW, arrow.DICTIONARY:
			record := edgeRecord(memory.DefaultAllocator, test.dt, test.dt, slices.Concat(test.rows, [][2]string{{null, null}})...)
			records := []arrow.Record{record, record.NewSlice(1, 3)}
			name := test.dt.String()
			inputs[name+" stream"] = streamOf(records)
			inputs[name+" file"] = fileOf(records)
			if test.dt.ID() == arrow.STRING {
				inputs[name+" stream lz4"] = streamOf(records, ipc.WithLZ4())
				inputs[name+" stream zstd"] = streamOf(records, ipc.WithZstd())
			}
		}
	}
	for _, file := range []string{
		"int32.parquet", "wide.parquet", "gzip_page1.parquet", "zstd_page2.parquet", "lz4_page2.parquet", "large_v1.parquet",
		"delta_wide_page2.parquet", "delta_length_page1.parquet", "delta_bytes_page2.parquet", "delta_fixed_page2.parquet",
		"split_int32_page1.parquet", "split_uuid_page2.parquet", "required_page2.parquet", "fallback_words.parquet", "duckdb_words_v2.parquet",
		"polars_categorical.arrows", "polars_words.arrow", "../spark/words_lz4.parquet", "../spark/words_plain_v2.parquet",
	} {
		data, err := os.ReadFile(filepath.Join(fixtureFolder, file))
		if err != nil {
			t.Fatal(err)
		}
		inputs[file] = data
	}
	return inputs
}

// tolerant drops nulls, so that a mutation that makes one is not an error.
var tolerant = tables.Options{Nulls: tables.NullsDrop}

// survive reads damaged input: it must end soon, in modest memory, without a
// panic, and an error must be of a class.
func survive(t *testing.T, what string, data []byte) error {
	t.Helper()
	before, start := allocated(), time.Now()
	_, _, err := edgesOf(data, tolerant)
	if spent := time.Since(start); spent > patience {
		t.Errorf("%s: took %v", what, spent)
	}
	if grown := allocated() - before; grown > 512<<20 {
		t.Errorf("%s: allocated %d MiB: %v", what, grown>>20, err)
	}
	if err != nil && !errors.Is(err, tables.ErrCorrupt) && !errors.Is(err, tables.ErrInput) {
		t.Errorf("%s: error without a class: %v", what, err)
	}
	if err != nil && goWords.MatchString(err.Error()) {
		t.Errorf("%s: words of Go's runtime: %v", what, err)
	}
	return err
}

// goWords match the words of panics, of Go's runtime and of Arrow, which do not
// help the owner of the input.
var goWords = regexp.MustCompile(`runtime error|slice bounds|out of range|out of bound|unknown error|nil pointer|interface conversion|makeslice|goroutine`)

// allocated is how many bytes the process has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func TestTruncationIsNeverSuccess(t *testing.T) {
	for name, data := range hazardInputs(t) {
		if err := survive(t, name, data); err != nil {
			t.Errorf("%s, whole: %v", name, err)
		}
		for n := 0; n < len(data); n += testgraphs.OneIn {
			if err := survive(t, name, data[:n]); err == nil {
				t.Errorf("%s: cut after %d of %d bytes, no error", name, n, len(data))
			}
		}
	}
}

func TestMutationsDoNoHarm(t *testing.T) {
	const rounds = 400 / testgraphs.OneIn
	inputs := hazardInputs(t)
	t.Logf("%d files mutated", len(inputs)*rounds)
	for name, data := range inputs { // in any order
		random := rand.New(rand.NewPCG(1, uint64(len(data))))
		for range rounds {
			mutated := mutate(random, data)
			survive(t, name, mutated)
		}
	}
}

// mutate changes some bytes, mostly to values that are lengths or signs.
func mutate(random *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + random.IntN(3) {
		at := random.IntN(len(data))
		switch random.IntN(4) {
		case 0:
			data[at] = byte(random.Uint32())
		case 1:
			data[at] ^= 1 << random.IntN(8)
		case 2:
			data[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[random.IntN(5)]
		case 3:
			if at+8 <= len(data) {
				binary.LittleEndian.PutUint64(data[at:], uint64(1)<<random.IntN(64))
			}
		}
	}
	return data
}

func TestStreamEndMarker(t *testing.T) {
	record := edgeRecord(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64, smallInts...)
	whole := streamOf([]arrow.Record{record, record})
	marker := []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}
	if !bytes.HasSuffix(whole, marker) {
		t.Fatal("Arrow's writer ends a stream without its marker")
	}
	for _, test := range []struct {
		what string
		data []byte
		says string
	}{
		{"between two batches", whole[:len(whole)-8], "end-of-stream marker is missing"},
		{"two streams", slices.Concat(whole, whole), "bytes follow the end-of-stream marker"},
		{"no schema", marker, "no schema"},
		{"text for ipc.NewReader", append([]byte{0xff, 0xff, 0xff, 0xff}, "src dst\n1 2\n"...), "bytes of metadata"},
	} {
		if _, _, err := edgesOf(test.data, tables.Options{Format: tables.FormatArrow}); !errors.Is(err, tables.ErrCorrupt) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want ErrCorrupt saying %q", test.what, err, test.says)
		}
	}
	_, _, err := edgesOf([]byte("src dst\n1 2\n"), tables.Options{Format: tables.FormatArrow})
	if !errors.Is(err, tables.ErrCorrupt) {
		t.Errorf("text as Arrow: %v", err)
	}
}

// A length in the bytes must not cause an allocation of that length.
func TestAbsurdLengths(t *testing.T) {
	record := edgeRecord(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64, smallInts...)
	for name, data := range map[string][]byte{
		"plain": streamOf([]arrow.Record{record}),
		"zstd":  streamOf([]arrow.Record{record}, ipc.WithZstd()),
		"lz4":   streamOf([]arrow.Record{record}, ipc.WithLZ4()),
	} {
		for at := 0; at+8 <= len(data); at += 4 {
			for _, length := range []uint64{1 << 30, 1 << 35, 1 << 40, 1<<63 - 1} {
				absurd := bytes.Clone(data)
				binary.LittleEndian.PutUint64(absurd[at:], length)
				survive(t, name, absurd)
			}
		}
	}
}

func TestFileFooterMustMatch(t *testing.T) {
	record := edgeRecord(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64, smallInts...)
	files := [][]byte{nil, fileOf([]arrow.Record{record}), fileOf([]arrow.Record{record, record}), fileOf([]arrow.Record{record, record, record})}
	footer := func(file []byte) []byte {
		length := binary.LittleEndian.Uint32(file[len(file)-10:])
		return file[len(file)-10-int(length):]
	}
	for body := 1; body < len(files); body++ {
		for foot := 1; foot < len(files); foot++ {
			mixed := slices.Concat(files[body][:len(files[body])-len(footer(files[body]))], footer(files[foot]))
			err := survive(t, "mixed footer", mixed)
			if body == foot && err != nil || body != foot && (!errors.Is(err, tables.ErrCorrupt) || !strings.Contains(err.Error(), "footer")) {
				t.Errorf("%d batches, footer of %d: %v", body, foot, err)
			}
		}
	}
}

func TestArrowCancels(t *testing.T) {
	record := edgeRecord(memory.DefaultAllocator, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Int64, smallInts...)
	for name, data := range map[string][]byte{"stream": streamOf(slices.Repeat([]arrow.Record{record}, 100)), "file": fileOf(slices.Repeat([]arrow.Record{record}, 100))} {
		t.Run(name, func(t *testing.T) {
			readWhile(t, tables.Options{Stdin: bytes.NewReader(data)}, false, justCancel, context.Canceled)
		})
	}
}
