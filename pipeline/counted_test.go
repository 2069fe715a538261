package pipeline_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The module has no more exported names, large structs and lines of a file than docs/maintaining.md promises.
func TestCounted(t *testing.T) {
	page, err := os.ReadFile("../docs/maintaining.md")
	if err != nil {
		t.Fatal(err)
	}
	promised := func(what string) int {
		row := regexp.MustCompile(`\| ` + what + `[^|]*\| (\d+) \|`).FindSubmatch(page)
		if row == nil {
			t.Fatalf("docs/maintaining.md promises no number of %s", what)
		}
		most, _ := strconv.Atoi(string(row[1])) // digits
		return most
	}
	lines := promised("lines")
	names, structs := map[string]bool{}, []string{}
	err = filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != ".." && (strings.HasPrefix(entry.Name(), ".") || slices.Contains([]string{"testdata", "examples", "build", "dist"}, entry.Name())):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if count := bytes.Count(text, []byte("\n")); count > lines {
			t.Errorf("%s has %d lines, more than %d", path, count, lines)
		}
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		structs = append(structs, largeStructs(file)...)
		if inside := strings.Split(filepath.ToSlash(path), "/"); !slices.Contains(inside, "internal") && file.Name.Name != "main" {
			for _, name := range declared(file) {
				if ast.IsExported(name) {
					names[filepath.Dir(path)+"."+name] = true // files for several systems declare some twice
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if most := promised("exported names"); len(names) > most || len(names) == 0 {
		t.Errorf("%d exported names outside internal, promised are at most %d", len(names), most)
	}
	if most := promised("structs"); len(structs) > most {
		t.Errorf("%d structs of more than 20 fields, promised are at most %d: %s", len(structs), most, structs)
	}
}

// declared returns the names that a file declares, without methods.
func declared(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names = append(names, s.Name.Name)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// largeStructs returns the types of a file that are structs of more than 20 fields. An embedded struct is one.
func largeStructs(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok {
			if of, ok := s.Type.(*ast.StructType); ok {
				fields := 0
				for _, field := range of.Fields.List {
					fields += max(len(field.Names), 1)
				}
				if fields > 20 {
					names = append(names, file.Name.Name+"."+s.Name.Name)
				}
			}
		}
		return true
	})
	return names
}
