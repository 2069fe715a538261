package arrowio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/tables"
)

// Lists of ids are read as text, from the first column.
func TestReadIDs(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"bare.txt":    {"007\n8\n", "007 8"},
		"header.csv":  {"node,kind\n7,x\n8,y\n", "7 8"},
		"named.csv":   {"id;kind\nb;x\na;y\n", "b a"},
		"other.csv":   {"x,id\n5,1\n6,2\n", "5 6"},
		"empty.txt":   {"", ""},
		"quoted.csv":  {"vertex\n\"a,b\"\n\"c d\"\n", "a,b c d"},
		"comment.txt": {"# people\n3\n", "3"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.data), 0o600); err != nil {
			t.Fatal(err)
		}
		var texts []string
		err := ReadIDs(t.Context(), tables.Options{Paths: []string{path}, Src: "u", Dst: "v", IDs: tables.IDsInt}, func(list tables.Keys) error {
			for i := range list.Len() {
				texts = append(texts, string(ids.Text(list, i)))
			}
			return nil
		})
		if got := strings.Join(texts, " "); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	none := func(tables.Keys) error { return nil }
	path := filepath.Join(t.TempDir(), "ids.txt")
	if err := os.WriteFile(path, []byte("1\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ReadIDs(t.Context(), tables.Options{Paths: []string{path, path}}, none); !errors.Is(err, tables.ErrUsage) {
		t.Error(err)
	}
	if err := ReadIDs(t.Context(), tables.Options{Paths: []string{path + "x"}}, none); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	enough := errors.New("enough")
	if err := ReadIDs(t.Context(), tables.Options{Paths: []string{path}}, func(tables.Keys) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ReadIDs(ctx, tables.Options{Paths: []string{path}}, none); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
