package pipeline

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/budget"
)

// Every table in memory counts, whatever is read of it. Distinct strings beyond the limit are
// refused, and neither they nor a smaller table take more than the limit and the free allowance
// beside it.
func TestMemoryOfEveryTable(t *testing.T) {
	const rows, length = 20_000, 1000 // 20 MB
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, header string, line func(row int) string) {
		var text strings.Builder
		text.WriteString(header + "\n")
		for row := range rows {
			text.WriteString(line(row) + "\n")
		}
		if err := os.WriteFile(path(name), []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	id := func(row int) string { return fmt.Sprintf("v%0*d", length-1, row) }
	write("edges.csv", "src,dst", func(row int) string { return fmt.Sprintf("%d,%d", row, row+1) })
	write("ids.csv", "src,dst", func(row int) string { return id(row) + "," + id(row+1) })
	write("by.csv", "src,dst,g", func(row int) string { return fmt.Sprintf("%d,%d,%s", row, row+1, id(row)) })
	write("keep.csv", "id,name", func(row int) string { return fmt.Sprintf("%d,%s", row, id(row)) })
	write("set.csv", "id", id)
	write("zeros.csv", "id", func(int) string { return "0" })
	for name, c := range map[string]struct {
		files tables.Options
		set   string
		unfit error // where there is room
		small bool  // always fits
	}{
		"ids":      {files: tables.Options{Paths: []string{path("ids.csv")}}},
		"by":       {files: tables.Options{Paths: []string{path("by.csv")}, By: []string{"g"}}},
		"vertices": {files: tables.Options{Paths: []string{path("edges.csv")}, Vertices: path("set.csv"), IDs: tables.IDsString}},
		"keep":     {files: tables.Options{Paths: []string{path("edges.csv")}, Vertices: path("keep.csv"), Keep: []string{"name"}}},
		"sources":  {files: tables.Options{Paths: []string{path("edges.csv")}}, set: path("set.csv"), unfit: tables.ErrInput},
		"repeats":  {files: tables.Options{Paths: []string{path("edges.csv")}}, set: path("zeros.csv"), small: true},
	} {
		for limit, threads := range map[int64]int{10 << 20: 1, 11 << 20: 16, 200 << 20: 2} {
			room := budget.New(limit)
			opts := Options{Compute: Compute{Engine: EngineCPU, Threads: threads, Memory: limit}}
			opts.Read, opts.Files = arrowio.Read, c.files
			opts.Files.Budget = room
			err := func() (err error) {
				if c.set != "" {
					if opts.Sources, err = ReadVertexSet(t.Context(), arrowio.ReadIDs, tables.Options{Paths: []string{c.set}, Budget: room, Threads: threads}); err != nil {
						return err
					}
				}
				_, err = Run(t.Context(), opts, into(new(tables.Table)))
				return err
			}()
			want := c.unfit
			if limit < 200<<20 && !c.small {
				want = ErrMemory
			}
			if !errors.Is(err, want) {
				t.Errorf("%s, %d MiB: error %v, want %v", name, limit>>20, err, want)
			}
			if peak := room.Peak(); peak > limit+budget.Free {
				t.Errorf("%s, %d MiB: %d bytes at the peak, %d may be used", name, limit>>20, peak, limit+budget.Free)
			}
		}
	}
}

// A list of ids stores distinct ids, and counts repeats.
func TestVertexSetIsMadeUniqueAsItComes(t *testing.T) {
	const rows = 1 << 20
	room := budget.New(1 << 20)
	set, err := ReadVertexSet(t.Context(), arrowio.ReadIDs, tables.Options{Stdin: strings.NewReader("id\n" + strings.Repeat("0\n1\n", rows/2)), Budget: room})
	if err != nil {
		t.Fatal(err)
	}
	if set.count() != 2 || set.repeats != rows-2 || string(set.id(1)) != "1" {
		t.Errorf("%d ids, %d repeats, the second %q", set.count(), set.repeats, set.id(1))
	}
	if held := room.Held(); held > 512<<10 || held == 0 {
		t.Errorf("%d bytes held for two ids", held)
	}
	if set.set != VertexSetOf(1, 0).set {
		t.Error("it is another set than that of the same ids in another order")
	}
}
