package arrowio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		ids, err := ReadIDs(t.Context(), Options{Paths: []string{path}, Src: "u", Dst: "v", IDs: IDsInt})
		var texts []string
		for i := range ids.Len() {
			texts = append(texts, string(ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]]))
		}
		if got := strings.Join(texts, " "); err != nil || got != c.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "ids.txt")
	if err := os.WriteFile(path, []byte("1\n2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadIDs(t.Context(), Options{Paths: []string{path, path}}); !errors.Is(err, ErrUsage) {
		t.Error(err)
	}
	if _, err := ReadIDs(t.Context(), Options{Paths: []string{path + "x"}}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadIDs(ctx, Options{Paths: []string{path}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
