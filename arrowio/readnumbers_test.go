package arrowio

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/tables"
)

// numbersOf reads columns as decimal numbers, with their exponents.
func numbersOf(t *testing.T, path string, columns ...string) (numbers []tables.Weights, err error) {
	all := make([]tables.KeptColumn, len(columns))
	err = ReadNumbers(t.Context(), tables.Options{Paths: []string{path}}, columns, func(rows []tables.KeptColumn) error {
		for i, more := range rows {
			all[i].Name, all[i].Type = more.Name, more.Type
			all[i].Append(more.KeptValues, nil)
		}
		return nil
	})
	for i := range all {
		more, wrong := all[i].Masses(t.Context(), tables.NullsError)
		numbers, err = append(numbers, more), errors.Join(err, wrong)
	}
	return numbers, err
}

// The same numbers are read of text and of columns of any type that can be kept, whose first may be no id.
func TestReadNumbers(t *testing.T) {
	folder := t.TempDir()
	paths := []string{filepath.Join(folder, "text.csv")}
	if err := os.WriteFile(paths[0], []byte("b,note,hole,a\n1,x,1,0\n0.5,z,,1.5\n2,y,3,20\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]arrow.DataType{"float64": arrow.PrimitiveTypes.Float64, "float32": arrow.PrimitiveTypes.Float32,
		"text": arrow.BinaryTypes.String, "decimal": &arrow.Decimal128Type{Precision: 9, Scale: 3}} {
		schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: a}, {Name: "b", Type: arrow.PrimitiveTypes.Float64}}, nil)
		record, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema,
			strings.NewReader(`[{"a": "0", "b": 1}, {"a": "1.5", "b": 0.5}, {"a": "20", "b": 2}]`))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, filepath.Join(folder, name+".arrows"))
		stream, err := os.Create(paths[len(paths)-1])
		if err != nil {
			t.Fatal(err)
		}
		w := ipc.NewWriter(stream, ipc.WithSchema(schema))
		if err := errors.Join(w.Write(record), w.Close(), stream.Close()); err != nil {
			t.Fatal(err)
		}
	}
	paths = append(paths, filepath.Join(folder, "scores.parquet"))
	file, err := os.Create(paths[len(paths)-1])
	if err != nil {
		t.Fatal(err)
	}
	scores := tables.Table{Type: tables.Int64IDs(), IDs: tables.Keys{Ints: []uint64{7, 8, 9}}, Columns: []tables.Column{
		{Name: "a", Values: tables.Floats{0, 1.5, 20}}, {Name: "b", Values: tables.Floats{1, 0.5, 2}}}}
	if err := errors.Join(Write(t.Context(), file, tables.FormatParquet, scores), file.Close()); err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		numbers, err := numbersOf(t, path, "a", "b")
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
			continue
		}
		if a := numbers[0]; !slices.Equal(a.Digits, []int64{0, 15, 20}) || !slices.Equal(a.Exponents, []int16{0, -1, 0}) {
			t.Errorf("%s: a is %v, %v", filepath.Base(path), a.Digits, a.Exponents)
		}
		if b := numbers[1]; !slices.Equal(b.Digits, []int64{1, 5, 2}) || !slices.Equal(b.Exponents, []int16{0, -1, 0}) {
			t.Errorf("%s: b is %v, %v", filepath.Base(path), b.Digits, b.Exponents)
		}
	}
	if _, err := numbersOf(t, paths[0], "a", "note"); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), `column "note": row 1: "x" is not a finite number`) {
		t.Error("of text:", err)
	}
	err = ReadNumbers(t.Context(), tables.Options{Paths: paths[:1], Nulls: tables.NullsDrop}, []string{"a", "hole"}, func([]tables.KeptColumn) error { return nil })
	if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), `column "hole": null at row 2`) || Advice(err) != "" {
		t.Error("with a null:", err)
	}
}

// Columns that hold no numbers are refused by name.
func TestReadNumbersOfOtherTypes(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "a", Type: arrow.ListOf(arrow.PrimitiveTypes.Float64)}}, nil)
	record, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(`[{"a": [1.5]}]`))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "lists.arrows")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := ipc.NewWriter(file, ipc.WithSchema(schema))
	if err := errors.Join(w.Write(record), w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := numbersOf(t, path, "a"); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), `column "a"`) {
		t.Error(err)
	}
}
