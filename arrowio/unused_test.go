package arrowio

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// Unread columns of edges are listed in every format. There is one warning about a column
// that probably should be read, however many files have it.
func TestUnusedColumns(t *testing.T) {
	text := func(list ...string) tables.KeptValues {
		k := tables.KeptValues{Keys: tables.Keys{Offsets: []int64{0}}}
		for _, value := range list {
			k.Keys.Bytes = append(k.Keys.Bytes, value...)
			k.Keys.Offsets = append(k.Keys.Offsets, int64(len(k.Keys.Bytes)))
		}
		return k
	}
	words := func(list ...uint64) tables.KeptValues { return tables.KeptValues{Keys: tables.Keys{Ints: list}} }
	kept := func(name string, typ arrow.DataType, values tables.KeptValues) tables.KeptColumn {
		return tables.KeptColumn{Name: name, Type: idtypes.Of(typ), KeptValues: values}
	}
	table := func(directions ...string) tables.Table {
		return tables.Table{
			IDs: tables.Keys{Ints: []uint64{7, 8, 9}}, Type: tables.Int64IDs(),
			Kept: []tables.KeptColumn{
				kept("src", arrow.PrimitiveTypes.Int64, words(1, 2, 3)),
				kept("dst", arrow.PrimitiveTypes.Int64, words(2, 3, 4)),
				kept("Travel_Time", arrow.PrimitiveTypes.Int32, words(0, 6, 7)),
				kept("time", arrow.BinaryTypes.String, text("2026-01-01", "2026-01-02", "2026-01-03")),
				kept("Type", arrow.BinaryTypes.String, text(directions...)),
			},
		}
	}
	one, two := table("Undirected", "Directed", "Undirected"), table("Undirected", "Undirected", "Undirected")
	all := []string{"vertex", "Travel_Time", "time", "Type"}
	const (
		lengths    = `column "Travel_Time" is not used: Options.Weight "Travel_Time" measures paths by it`
		directed   = `column "Type" is not used, and says that edges are directed: Options.Directed reads them one way`
		undirected = `column "Type" is not used, and says that edges are undirected: Options.Directed reads these one way too`
	)
	for _, format := range []tables.Format{tables.FormatArrow, FormatArrowFile, tables.FormatParquet, tables.FormatCSV} {
		folder := t.TempDir()
		for i, of := range []tables.Table{two, one, one} {
			file, err := os.Create(filepath.Join(folder, fmt.Sprintf("%d.table", i)))
			if err == nil {
				err = Write(t.Context(), file, format, of)
			}
			if err == nil {
				err = file.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			opts   tables.Options
			unused []string
			warned []string // where, and of what
		}{
			{tables.Options{}, all, []string{"0.table: " + lengths, "1.table: " + directed}},
			{tables.Options{Directed: true}, all, []string{"0.table: " + lengths, "0.table: " + undirected}},
			{tables.Options{IgnoreWeight: true}, all, []string{"1.table: " + directed}},
			{tables.Options{Weight: "vertex"}, all[1:], []string{"1.table: " + directed}},
			{tables.Options{By: []string{"Type"}}, all[:3], []string{"0.table: " + lengths}},
		} {
			c.opts.Paths = []string{folder}
			c.opts.Src, c.opts.Dst = "src", "dst"
			_, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) { return Read(t.Context(), c.opts, edges) })
			for i, warning := range c.warned {
				c.warned[i] = filepath.Join(folder, warning)
			}
			if err != nil || !slices.Equal(summary.Unused, c.unused) || !slices.Equal(summary.Warnings, c.warned) {
				t.Errorf("%s, %+v: %v\n%q, want\n%q\n%q, want\n%q", format, c.opts, err, summary.Unused, c.unused, summary.Warnings, c.warned)
			}
		}
	}
}
