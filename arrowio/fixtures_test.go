package arrowio

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fixtures are the files that testdata/make_columnar.py makes.
type fixtures struct {
	Tables map[string][][2]string
	Files  map[string]struct {
		Table   string
		Type    string
		Nulls   int64
		Refused string // what the error says
	}
}

const fixtureFolder = "testdata/columnar"

func readFixtures(t testing.TB) (f fixtures) {
	data, err := os.ReadFile(filepath.Join(fixtureFolder, "expected.json"))
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Files of other writers read as what they were made from, from disk and from
// standard input.
func TestReadFilesOfOtherWriters(t *testing.T) {
	f := readFixtures(t)
	for file, want := range f.Files {
		t.Run(file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(fixtureFolder, file))
			if err != nil {
				t.Fatal(err)
			}
			rows, summary, err := edgesOf(data, tolerant)
			if want.Refused != "" {
				if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), want.Refused) {
					t.Errorf("%v, want ErrInput saying %q", err, want.Refused)
				}
				return
			}
			if err != nil || !slices.Equal(rows, formatted(summary.IDs.arrow, f.Tables[want.Table])) {
				t.Fatalf("%v\n%q, want\n%q", err, rows, f.Tables[want.Table])
			}
			if summary.IDs.String() != want.Type || summary.NullsDropped != want.Nulls {
				t.Errorf("%s, %d nulls, want %s, %d", summary.IDs, summary.NullsDropped, want.Type, want.Nulls)
			}
			if want.Nulls > 0 {
				_, _, err = edgesOf(data, Options{})
				if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), ": null id at row ") {
					t.Errorf("nulls: %v", err)
				}
			}
		})
	}
}
