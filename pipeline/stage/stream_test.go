package stage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline"
	"bcstage/pipeline/stage"
	"bcstage/preprocess/question"
)

// edgeStream is edges as Arrow bytes.
func edgeStream(src, dst []int64) []byte {
	schema := arrow.NewSchema([]arrow.Field{{Name: "src", Type: arrow.PrimitiveTypes.Int64}, {Name: "dst", Type: arrow.PrimitiveTypes.Int64}}, nil)
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	builder.Field(0).(*array.Int64Builder).AppendValues(src, nil)
	builder.Field(1).(*array.Int64Builder).AppendValues(dst, nil)
	record := builder.NewRecord()
	defer record.Release()
	var edges bytes.Buffer
	writer := ipc.NewWriter(&edges, ipc.WithSchema(schema))
	writer.Write(record)
	writer.Close()
	return edges.Bytes()
}

// Arrow bytes in, Arrow bytes out, for any version of Arrow.
func ExampleStream() {
	in := bytes.NewReader(edgeStream([]int64{1, 2, 3, 4, 4}, []int64{2, 3, 4, 1, 5}))
	var out bytes.Buffer
	if _, err := stage.Stream(context.Background(), in, &out, pipeline.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	reader, err := ipc.NewReader(&out)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer reader.Release()
	for reader.Next() {
		fmt.Println(reader.Record().Column(0), reader.Record().Column(1))
	}
	// Output: [1 2 3 4 5] [1 0.5 1 3.5 0]
}

// A truncated stream is an error, and nothing has been written.
func TestStreamCutShort(t *testing.T) {
	edges := edgeStream([]int64{1, 2, 3}, []int64{2, 3, 4})
	for _, length := range []int{0, 10, len(edges) / 2, len(edges) - 20} {
		var out bytes.Buffer
		_, err := stage.Stream(t.Context(), bytes.NewReader(edges[:length]), &out, pipeline.Options{})
		if length > 0 && !errors.Is(err, tables.ErrInput) && !errors.Is(err, tables.ErrCorrupt) || out.Len() > 0 && err != nil {
			t.Errorf("%d of %d bytes: %v, %d bytes out", length, len(edges), err, out.Len())
		}
	}
}

// Other formats are read as well, and a failing writer is an error.
func TestStreamEnds(t *testing.T) {
	opts := pipeline.Options{Input: pipeline.Input{Read: arrowio.Read, Files: tables.Options{Format: tables.FormatCSV}}}
	stats, err := stage.Stream(t.Context(), strings.NewReader("src,dst\n1,2\n2,3\n"), io.Discard, opts)
	if err != nil || stats.Vertices != 3 {
		t.Errorf("%v, %v", stats, err)
	}
	broken := errors.New("broken")
	if _, err := stage.Stream(t.Context(), strings.NewReader("src,dst\n1,2\n2,3\n"), failing{broken}, opts); !errors.Is(err, broken) {
		t.Errorf("a writer that fails: %v", err)
	}
}

// A stream that cannot be written is refused before the computation.
func TestStreamFits(t *testing.T) {
	opts := pipeline.Options{Question: question.Question{Measures: []string{"closeness", "rank"}}}
	opts.Files.By = []string{"rank"}
	opts.Progress = func(p pipeline.Progress) {
		if p.Stage == "compute" {
			t.Error("computed")
		}
	}
	_, err := stage.Stream(t.Context(), strings.NewReader("src,dst,rank\n1,2,a\n2,3,a\n"), &bytes.Buffer{}, opts)
	if !errors.Is(err, tables.ErrUsage) || !strings.Contains(err.Error(), `column "rank" occurs twice`) {
		t.Errorf("%v, want ErrUsage", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
