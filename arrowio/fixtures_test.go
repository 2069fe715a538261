package arrowio

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// fixtures are the files that testdata/make_columnar.py and make_spark.py make.
type fixtures struct {
	Tables map[string][][2]string
	Files  map[string]struct {
		Table   string
		Type    string
		Nulls   int64
		Refused string // what the error says
	}
}

const (
	fixtureFolder = "testdata/columnar"
	sparkFolder   = "testdata/spark"
)

func readFixtures(t testing.TB, folder string) (f fixtures) {
	data, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Files of other writers read as their source tables, from disk and from
// standard input.
func TestReadFilesOfOtherWriters(t *testing.T) {
	f := readFixtures(t, fixtureFolder)
	for file, want := range f.Files {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(fixtureFolder, file))
			if err != nil {
				t.Fatal(err)
			}
			rows, summary, err := edgesOf(data, tolerant)
			if want.Refused != "" {
				if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), want.Refused) {
					t.Errorf("%v, want ErrInput saying %q", err, want.Refused)
				}
				return
			}
			if err != nil || !slices.Equal(rows, formatted(idtypes.Arrow(summary.IDs), f.Tables[want.Table])) {
				t.Fatalf("%v\n%q, want\n%q", err, rows, f.Tables[want.Table])
			}
			if summary.IDs.String() != want.Type || summary.NullsDropped != want.Nulls {
				t.Errorf("%s, %d nulls, want %s, %d", summary.IDs, summary.NullsDropped, want.Type, want.Nulls)
			}
			if want.Nulls > 0 {
				_, _, err = edgesOf(data, tables.Options{})
				if !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), ": null id at row ") {
					t.Errorf("nulls: %v", err)
				}
			}
		})
	}
}

// Files and folders that Spark wrote, by their paths: a folder with a file of
// several for each partition, checksums and _SUCCESS is one table.
func TestReadFilesOfSpark(t *testing.T) {
	f := readFixtures(t, sparkFolder)
	for file, want := range f.Files {
		t.Run(file, func(t *testing.T) {
			opts := tables.Options{Paths: []string{filepath.Join(sparkFolder, file)}, Nulls: tables.NullsDrop}
			rows, summary, err := collect(func(edges chan<- tables.Batch) (tables.Summary, error) { return Read(t.Context(), opts, edges) })
			wanted := slices.Clone(f.Tables[want.Table])
			if summary.Files > 1 { // rows in the order of their partitions
				for _, table := range [][][2]string{rows, wanted} {
					slices.SortFunc(table, func(a, b [2]string) int { return slices.Compare(a[:], b[:]) })
				}
			}
			if err != nil || !slices.Equal(rows, wanted) {
				t.Fatalf("%v\n%q, want\n%q", err, rows, wanted)
			}
			if summary.IDs.String() != want.Type || summary.NullsDropped != want.Nulls {
				t.Errorf("%s, %d nulls, want %s, %d", summary.IDs, summary.NullsDropped, want.Type, want.Nulls)
			}
		})
	}
}
