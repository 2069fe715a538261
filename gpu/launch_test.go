package gpu

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/resident"
	"bcstage/gpu/internal/wave"
	"bcstage/internal/gpu/naming"
	"bcstage/internal/testblocks"
)

// parameter is a kernel's parameter in its text or its call: "number n", "memory
// source_mass".
type parameter string

var (
	kernelText  = regexp.MustCompile(`__kernel\s+(?:__attribute__\(\(.*?\)\)\s*)?void\s+(\w+)\s*\(([^)]*)\)`)
	commentText = regexp.MustCompile(`//[^\n]*`)
)

// kernelParameters reads the kernels of a text. A parameter is a uint or global
// memory: calls have no others.
func kernelParameters(text string) (map[string][]parameter, error) {
	kernels := make(map[string][]parameter)
	for _, match := range kernelText.FindAllStringSubmatch(commentText.ReplaceAllString(text, ""), -1) {
		var list []parameter
		for _, declared := range strings.Split(match[2], ",") {
			words := strings.Fields(strings.ReplaceAll(declared, "*", " * "))
			name, kind := words[len(words)-1], strings.Join(words[:len(words)-1], " ")
			kind = strings.TrimSuffix(kind, " restrict")
			pointee, global := strings.CutPrefix(kind, "__global ")
			switch {
			case kind == "const uint" || kind == "uint":
				list = append(list, parameter("number "+name))
			case global && strings.HasSuffix(pointee, " *") && strings.Count(pointee, "*") == 1:
				list = append(list, parameter("memory "+name))
			default:
				return nil, fmt.Errorf("kernel %s: parameter %q is neither uint nor __global", match[1], strings.TrimSpace(declared))
			}
		}
		if kernels[match[1]] != nil {
			return nil, fmt.Errorf("kernel %s twice", match[1])
		}
		kernels[match[1]] = list
	}
	return kernels, nil
}

// callParameters reads the structs of a Go file that have the names of kernels.
func callParameters(t *testing.T, file string, kernels map[string][]parameter) map[string][]parameter {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	calls := make(map[string][]parameter)
	ast.Inspect(parsed, func(node ast.Node) bool {
		declared, ok := node.(*ast.TypeSpec)
		if !ok {
			return true
		}
		fields, ok := declared.Type.(*ast.StructType)
		if !ok || kernels[naming.Snake(declared.Name.Name)] == nil {
			return true
		}
		for _, field := range fields.Fields.List {
			kind := map[string]string{"uint32": "number ", "&{driver Buffer}": "memory "}[fmt.Sprint(field.Type)]
			for _, name := range field.Names {
				calls[naming.Snake(declared.Name.Name)] = append(calls[naming.Snake(declared.Name.Name)], parameter(kind+naming.Snake(name.Name)))
			}
		}
		return true
	})
	return calls
}

// Every kernel has a call with its parameters: by name, in order, numbers and
// memory told apart.
func TestCallsMatchKernels(t *testing.T) {
	texts, err := filepath.Glob("internal/kernels/*.cl")
	if err != nil {
		t.Fatal(err)
	}
	kernels := make(map[string][]parameter)
	for _, name := range texts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found, err := kernelParameters(string(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if count := strings.Count(string(text), "__kernel "); count != len(found) {
			t.Errorf("%s: %d kernels, of which %d could be read", name, count, len(found))
		}
		for kernel := range found {
			if kernels[kernel] != nil {
				t.Errorf("%s: another file has a kernel %s", name, kernel)
			}
		}
		maps.Copy(kernels, found)
	}
	files, err := filepath.Glob("internal/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := make(map[string][]parameter)
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			maps.Copy(calls, callParameters(t, file, kernels))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kernels)) {
		if !slices.Equal(calls[name], kernels[name]) {
			t.Errorf("kernel %s has the parameters\n\t%q, its call has\n\t%q", name, kernels[name], calls[name])
		}
	}
	if len(kernels) < 10 {
		t.Errorf("only %d kernels were found", len(kernels))
	}
}

// A parameter that no call can pass is found, however it is written.
func TestKernelParameters(t *testing.T) {
	for text, want := range map[string]string{
		"__kernel void a_b(const uint n,\n // of them\n __global const uint *restrict ptr)":                   "[number n memory ptr]",
		"__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))\nvoid a(__global real* paths, uint n) {": "[memory paths number n]",
		"__kernel void a(const int n)":                    "neither",
		"__kernel void a(__local uint *scratch)":          "neither",
		"__kernel void a(const ulong n)":                  "neither",
		"__kernel void a(__constant uint *ptr)":           "neither",
		"__kernel void a(uint n) __kernel void a(uint m)": "twice",
	} {
		got, err := kernelParameters(text)
		if err != nil {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v, want %s", text, err, want)
			}
			continue
		}
		for _, list := range got {
			if fmt.Sprint(list) != want {
				t.Errorf("%s: %v, want %s", text, list, want)
			}
		}
		if len(got) != 1 {
			t.Errorf("%s: %d kernels", text, len(got))
		}
	}
}

// Buffers that a call leaves out are found by name; a name without a buffer is a
// mistake in the program.
func TestBind(t *testing.T) {
	given, found := &simBuffer{}, &simBuffer{}
	named := func(name string) driver.Buffer {
		if name == "Parts" {
			return nil
		}
		return found
	}
	call := driver.Bind(methods.LevelsClear{N: 5, Seen: given}, named).(methods.LevelsClear)
	if call.N != 5 || call.Seen != given || call.Used != found || call.Frontier != found {
		t.Errorf("bound %+v", call)
	}
	defer func() {
		if text := fmt.Sprint(recover()); !strings.Contains(text, "fold_parts") || !strings.Contains(text, "Parts") {
			t.Errorf("a buffer that nobody has: %s", text)
		}
	}()
	driver.Bind(wave.FoldParts{}, named)
}

// No buffer of a method's waves has the name of a buffer of the graph.
func TestBufferNames(t *testing.T) {
	plan := ladder()
	testblocks.Flows(&plan.Blocks[0])
	plan.Blocks[0].Lengths = make([]int64, len(plan.Blocks[0].Targets))
	g, err := resident.Upload(&simulator{}, simQueue{}, &plan.Blocks[0], 1, resident.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	byArc, err := resident.Upload(&simulator{}, simQueue{}, &plan.Blocks[0], 1, resident.Layout{Arcs: 20})
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(g.Memory, byArc.Memory)
	for _, m := range append(methods.Counting(), methods.Named(methods.Bitlanes), methods.Named(methods.Lengths)) {
		for name := range (wave.Shape{Method: m, Vertices: 8, Words: 1, Packs: 1, Levels: 5, Number: 8, BlockShape: wave.BlockShape{Edges: 10, Arcs: 20, Distances: m.Name() == methods.Bitlanes}}).Sizes() {
			if g.Memory[name] != nil {
				t.Errorf("%s: buffer %s is one of the graph, too", m.Name(), name)
			}
		}
	}
}
