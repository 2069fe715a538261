package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
)

// In a vertex table of many batches, with repeats within and across them, every vertex keeps the
// values of its first row.
func TestKeepTakesTheFirstRow(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	first := map[int]string{}
	var text strings.Builder
	text.WriteString("note,id\n")
	for row := range 300_000 {
		id, note := random.IntN(200_000), fmt.Sprint(row)
		if row%7 == 0 {
			note = ""
		}
		if _, met := first[id]; !met {
			first[id] = note
		}
		fmt.Fprintf(&text, "%s,%d\n", note, id)
	}
	dir := t.TempDir()
	opts := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{
		Stdin: strings.NewReader("src,dst\n300000,300001\n1,300000\n"), Format: tables.FormatCSV,
		Vertices: filepath.Join(dir, "vertices.csv"), Keep: []string{"note"},
	}}, Compute: Compute{Engine: EngineCPU, Threads: 2}}
	if err := os.WriteFile(opts.Files.Vertices, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	stats, err := Run(context.Background(), opts, func(_ context.Context, table tables.Table) error {
		c := table.Kept[0]
		if c.Name != "note" || c.Keys.Len() != len(first) {
			t.Errorf("column %q of %d rows, of %d vertices", c.Name, c.Keys.Len(), len(first))
		}
		for v := range c.Keys.Len() {
			id := int(table.IDs.Ints[v])
			got := string(c.Keys.Bytes[c.Keys.Offsets[v]:c.Keys.Offsets[v+1]])
			if want := first[id]; got != want || c.Null[v] != (want == "") {
				return fmt.Errorf("vertex %d: %q, want %q", id, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if note := fmt.Sprintf("repeated vertices in the vertex table: %d", 300_000-len(first)); !strings.Contains(strings.Join(stats.Notes, "\n"), note) {
		t.Errorf("notes %q; want one with %q", stats.Notes, note)
	}
}

func TestKeepIsRefused(t *testing.T) {
	files := tables.Options{Paths: []string{"edges.csv"}, Vertices: "vertices.csv", Keep: []string{"note"}}
	good := Options{Input: Input{Read: arrowio.Read, Files: files}}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Options){
		"a shard":   func(o *Options) { o.Shard = Shard{Mine: []int{1}, Of: 2} },
		"a partial": func(o *Options) { o.Partial = true },
		"own source": func(o *Options) {
			o.Source = func(context.Context, chan<- tables.Batch) (tables.Summary, error) { return tables.Summary{}, nil }
		},
		"column's name": func(o *Options) { o.Files.Keep = []string{tables.ScoreColumn} },
		"interval":      func(o *Options) { o.Files.Keep = []string{LowerColumn} },
	} {
		opts := good
		change(&opts)
		if err := opts.Check(); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// More memory than allowed is refused before the table is complete.
func TestKeepIsCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vertices.csv")
	var text strings.Builder
	text.WriteString("id,note\n")
	for id := range 100_000 {
		fmt.Fprintf(&text, "%d,%s\n", id, strings.Repeat("x", 500))
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, keep := range [][]string{nil, {"note"}} {
		opts := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{
			Stdin: strings.NewReader("src,dst\n1,2\n"), Format: tables.FormatCSV, Vertices: path, Keep: keep,
		}}, Compute: Compute{Engine: EngineCPU, Threads: 1, Memory: 64 << 20}}
		_, err := Run(context.Background(), opts, func(context.Context, tables.Table) error { return nil })
		if errors.Is(err, ErrMemory) != (keep != nil) {
			t.Errorf("keep %q: %v", keep, err)
		}
	}
}
