package pipeline_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// Every call of the library has an example, which go doc shows and the tests run.
func TestEveryCallHasAnExample(t *testing.T) {
	for _, folder := range []string{".", "stage", "../arrowio"} {
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

// Every option that an error, a note or a warning names exists at that path.
func TestOptionsAreNamedByTheirPath(t *testing.T) {
	path := regexp.MustCompile(`["` + "`" + `].*?\bOptions((?:\.[A-Z][A-Za-z]*)+)`)
	for folder, options := range map[string]reflect.Type{".": reflect.TypeFor[pipeline.Options](), "../arrowio": reflect.TypeFor[tables.Options]()} {
		seen := 0
		err := filepath.WalkDir(folder, func(name string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for line := range strings.Lines(string(text)) {
				code, _, _ := strings.Cut(line, "//")
				for _, found := range path.FindAllStringSubmatch(code, -1) {
					seen++
					at := options
					for _, field := range strings.Split(found[1], ".")[1:] {
						f, ok := at.FieldByName(field)
						if ok = ok && len(f.Index) == 1; !ok {
							t.Errorf("%s: no Options%s: %s", name, found[1], strings.TrimSpace(code))
							break
						}
						if at = f.Type; at.Kind() == reflect.Pointer {
							at = at.Elem()
						}
					}
				}
			}
			return nil
		})
		if err != nil || seen < 10 {
			t.Errorf("%s: %d options named, %v", folder, seen, err)
		}
	}
}
