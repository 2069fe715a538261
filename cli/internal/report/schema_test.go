package report

import (
	"encoding"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The schema of --stats is made from its types, with their comments as descriptions, by make
// generate. examples.TestOutputs validates runs against it.
func TestStatsSchema(t *testing.T) {
	const path = "../../../docs/stats.schema.json"
	s := schema{comments: map[string]string{}}
	for _, folder := range []string{".", "../../../pipeline", "../../../internal/engine", "../../../pipeline/internal/ledger", "../../../pipeline/internal/sharing", "../../../preprocess", "../../../cpu"} {
		s.read(t, folder)
	}
	root := s.of(reflect.TypeFor[Stats]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "What bcstage --stats writes about a run"
	want, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if os.Getenv("UPDATE_SCHEMA") == "1" {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != string(want) {
		t.Errorf("%s is not that of the types (%v): make generate", path, err)
	}
}

// schema makes JSON schemas of types.
type schema struct {
	comments map[string]string // by Type.Field
}

// read takes the comments of the fields of a package's types.
func (s *schema) read(t *testing.T, folder string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no Go files (%v)", folder, err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := spec.Type.(*ast.StructType)
			if !ok {
				return false
			}
			for _, field := range fields.Fields.List {
				for _, name := range field.Names {
					s.comments[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()+" "+field.Comment.Text()), " ")
				}
			}
			return false
		})
	}
}

func (s *schema) of(t reflect.Type) map[string]any {
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		s.fields(t, properties, &required)
		return map[string]any{"type": "object", "properties": properties, "required": required}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Int, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer"}
	}
	panic("no schema of " + t.String())
}

// fields adds the fields of a struct, and of its embedded structs.
func (s *schema) fields(t reflect.Type, properties map[string]any, required *[]string) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			s.fields(field.Type, properties, required)
			continue
		case name == "-" || !field.IsExported():
			continue
		}
		property := s.of(field.Type)
		if comment := s.comments[t.Name()+"."+field.Name]; comment != "" {
			property["description"] = comment
		}
		properties[name] = property
		optional := strings.Contains(options, "omitempty")
		if !optional {
			*required = append(*required, name)
		}
		if kind := field.Type.Kind(); !optional && (kind == reflect.Slice || kind == reflect.Pointer) {
			property["type"] = []string{property["type"].(string), "null"} // nil
		}
	}
}
