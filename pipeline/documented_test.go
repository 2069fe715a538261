package pipeline_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every call of the library has an example, which go doc shows and the tests run.
func TestEveryCallHasAnExample(t *testing.T) {
	for _, folder := range []string{".", "../arrowio"} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, entry := range entries {
			if strings.HasSuffix(entry.Name(), ".go") {
				file, err := parser.ParseFile(files, filepath.Join(folder, entry.Name()), nil, parser.ParseComments)
				if err != nil {
					t.Fatal(err)
				}
				parsed = append(parsed, file)
			}
		}
		library, err := doc.NewFromFiles(files, parsed, "bcstage/"+filepath.Base(folder))
		if err != nil {
			t.Fatal(err)
		}
		calls := library.Funcs
		for _, kind := range library.Types {
			calls = append(calls, kind.Funcs...)
		}
		for _, call := range calls {
			if len(call.Examples) == 0 {
				t.Errorf("%s.%s has no example", library.Name, call.Name)
			}
		}
	}
}
