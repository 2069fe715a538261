package arrowio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/apache/arrow/go/v17/parquet/file"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

const someUUID = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6" // of RFC 9562

func TestUUIDText(t *testing.T) {
	keys := tables.Keys{Bytes: []byte(uuids[0][0]), Offsets: []int64{0, ids.UUIDBytes}}
	if got := idtypes.Of(idtypes.UUID()).Format(keys, 0); got != someUUID {
		t.Error(got)
	}
	// A damaged prepared graph may hold ids of any length.
	if got := idtypes.Of(idtypes.UUID()).Format(tables.Keys{Bytes: []byte("a\x00"), Offsets: []int64{0, 2}}, 0); got != `a\x00` {
		t.Error(got)
	}
	for _, format := range []tables.Format{tables.FormatCSV, FormatJSONL} {
		var out bytes.Buffer
		if err := Write(context.Background(), &out, format, scoreTable(idtypes.UUID(), uniqueIDs(uuids)...)); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{someUUID, "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"} {
			if !strings.Contains(out.String(), id) {
				t.Errorf("%s: no %s in\n%s", format, id, out.String())
			}
		}
	}
}

// Readers that know Parquet but not Arrow see the type too.
func TestUUIDInParquet(t *testing.T) {
	var out bytes.Buffer
	if err := Write(context.Background(), &out, tables.FormatParquet, scoreTable(idtypes.UUID(), uniqueIDs(uuids)...)); err != nil {
		t.Fatal(err)
	}
	r, err := file.NewParquetReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	column := r.MetaData().Schema.Column(0)
	if _, ok := column.LogicalType().(schema.UUIDLogicalType); !ok || column.TypeLength() != ids.UUIDBytes {
		t.Errorf("%s of %d bytes", column.LogicalType(), column.TypeLength())
	}
	origin := parquetfile.OriginalSchema(t.Context(), r.MetaData()).Field(0)
	if name, _ := origin.Metadata.GetValue("ARROW:extension:name"); name != "arrow.uuid" || origin.Type.String() != "fixed_size_binary[16]" {
		t.Errorf("Arrow field %s", origin)
	}
}

// registeredUUID is arrow.uuid in a program that has registered a type for it.
type registeredUUID struct{ arrow.ExtensionBase }

func (*registeredUUID) ArrayType() reflect.Type { return reflect.TypeFor[registeredArray]() }
func (*registeredUUID) ExtensionName() string   { return "arrow.uuid" }
func (*registeredUUID) ExtensionEquals(o arrow.ExtensionType) bool {
	return o.ExtensionName() == "arrow.uuid"
}
func (*registeredUUID) Serialize() string { return "" }
func (*registeredUUID) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) {
	return &registeredUUID{}, nil
}

type registeredArray struct{ array.ExtensionArrayBase }

func TestUUIDFromRecordsOfARegisteredType(t *testing.T) {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	defer mem.AssertSize(t, 0)
	extension := &registeredUUID{arrow.ExtensionBase{Storage: fixedSize(ids.UUIDBytes)}}
	column := func(i int) arrow.Array {
		storage := idArray(mem, idtypes.UUID(), uuids[0][i], uuids[1][i])
		defer storage.Release()
		return array.NewExtensionArrayWithStorage(extension, storage)
	}
	src, dst := column(0), column(1)
	defer src.Release()
	defer dst.Release()
	fields := []arrow.Field{{Name: "src", Type: extension}, {Name: "dst", Type: extension}}
	record := array.NewRecord(arrow.NewSchema(fields, nil), []arrow.Array{src, dst}, 2)
	defer record.Release()
	in, ended := sendRecords(context.Background(), record)
	rows, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
		return FromRecords(context.Background(), in, tables.Options{}, edges)
	})
	ended()
	if err != nil || !slices.Equal(rows, formatted(idtypes.UUID(), uuids)) || summary.IDs.String() != "uuid" {
		t.Errorf("%q of %s, %v", rows, summary.IDs, err)
	}
}

func TestTypeOfField(t *testing.T) {
	named := func(typ arrow.DataType, name string) arrow.Field {
		return arrow.Field{Type: typ, Metadata: arrow.NewMetadata([]string{"ARROW:extension:name"}, []string{name})}
	}
	for _, test := range []struct {
		field arrow.Field
		want  string
	}{
		{named(fixedSize(16), "arrow.uuid"), "uuid"},
		{named(dictionaryOf(arrow.PrimitiveTypes.Int8, fixedSize(16)), "arrow.uuid"), "uuid"},
		{arrow.Field{Type: &registeredUUID{arrow.ExtensionBase{Storage: fixedSize(16)}}}, "uuid"},
		{arrow.Field{Type: fixedSize(16)}, "fixed_size_binary[16]"},
		{named(fixedSize(16), "arrow.opaque"), "fixed_size_binary[16]"},
		{named(fixedSize(8), "arrow.uuid"), "fixed_size_binary[8]"},
		{named(arrow.BinaryTypes.String, "arrow.uuid"), "utf8"},
	} {
		if got := idtypes.OfField(test.field).String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.field, got, test.want)
		}
	}
}

// The same id as 16 bytes and as text would be two vertices: refused wherever
// the two meet.
func TestUUIDsBesideTextAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := arrow.BinaryTypes.String
	record := func(src, dst arrow.DataType, rows ...[2]string) []byte {
		return streamOf([]arrow.Record{edgeRecord(memory.DefaultAllocator, src, dst, rows...)})
	}
	raw := uuids[0][0]
	both := path("uuids.arrows", record(idtypes.UUID(), idtypes.UUID(), uuids...))
	mixed := path("mixed.arrows", record(text, idtypes.UUID(), [2]string{someUUID, raw}))
	words := path("text.csv", []byte("src,dst\n"+someUUID+",a\n"))
	vertices := path("vertices.csv", []byte("id\n"+someUUID+"\n"))
	plain := path("bytes.arrows", record(fixedSize(16), fixedSize(16), [2]string{raw, raw}))
	for _, test := range []struct {
		opts tables.Options
		says string
	}{
		{tables.Options{Paths: []string{mixed}}, `column "dst": ids are UUIDs, but those of ` + mixed + " are strings"},
		{tables.Options{Paths: []string{both, words}}, "ids are strings, but those of " + both + " are UUIDs"},
		{tables.Options{Paths: []string{words, both}}, "ids are UUIDs, but those of " + words + " are strings"},
		{tables.Options{Paths: []string{both}, Vertices: vertices}, "ids are UUIDs, but those of " + vertices + " are strings"},
		{tables.Options{Paths: []string{plain, both}}, "ids are UUIDs, but those of " + plain + " are strings; write both as UUIDs or both as text, for example CAST(id AS VARCHAR)"},
		{tables.Options{Paths: []string{both, path("numbers.csv", []byte("1,2\n"))}}, "ids are integers, but those of " + both + " are UUIDs; they have no common type"},
	} {
		_, _, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
			return Read(context.Background(), test.opts, edges)
		})
		if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v, want ErrInput saying %q", err, test.says)
		}
	}
	rows, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) {
		return Read(context.Background(), tables.Options{Paths: []string{both, both}}, edges)
	})
	if want := formatted(idtypes.UUID(), uuids); err != nil || summary.IDs.String() != "uuid" || !slices.Equal(rows, append(want, want...)) {
		t.Errorf("%q of %s, %v", rows, summary.IDs, err)
	}
}
