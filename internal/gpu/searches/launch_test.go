package searches

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bcstage/internal/gpu/naming"
)

var (
	comment    = regexp.MustCompile(`//[^\n]*`)
	kernelText = regexp.MustCompile(`__kernel\s+(?:__attribute__\(\(reqd_work_group_size\(CREW, 1, 1\)\)\)\s+)?void\s+(\w+)\s*\(([^)]*)\)`)
	number     = regexp.MustCompile(`^const uint (\w+)$`)
	pointer    = regexp.MustCompile(`^__global (?:const )?\w+ \*(\w+)$`)
)

// Every kernel has a call with its parameters: by name, in order, with numbers and
// memory distinguished.
func TestCallsMatchKernels(t *testing.T) {
	text := comment.ReplaceAllString(source(), "")
	kernels := map[string][]string{}
	for _, match := range kernelText.FindAllStringSubmatch(text, -1) {
		for _, declared := range strings.Split(match[2], ",") {
			declared = strings.Join(strings.Fields(declared), " ")
			if name := number.FindStringSubmatch(declared); name != nil {
				kernels[match[1]] = append(kernels[match[1]], "uint32 "+strings.ReplaceAll(name[1], "_", ""))
			} else if name := pointer.FindStringSubmatch(declared); name != nil {
				kernels[match[1]] = append(kernels[match[1]], "Buffer "+strings.ReplaceAll(name[1], "_", ""))
			} else {
				t.Errorf("kernel %s: parameter %q", match[1], declared)
			}
		}
	}
	if count := strings.Count(text, "__kernel "); count != len(kernels) || count < 10 {
		t.Errorf("%d kernels, of which %d could be read", count, len(kernels))
	}
	structs := map[string][]string{} // by kernel or name: parameters, and names of structs that are embedded
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(node ast.Node) bool {
			declared, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := declared.Type.(*ast.StructType)
			if !ok {
				return true
			}
			of := naming.Snake(declared.Name.Name)
			for _, field := range fields.Fields.List {
				if field.Names == nil {
					structs[of] = append(structs[of], naming.Snake(fmt.Sprint(field.Type)))
				}
				for _, name := range field.Names {
					structs[of] = append(structs[of], fmt.Sprint(field.Type)+" "+strings.ToLower(name.Name))
				}
			}
			return true
		})
	}
	for name, want := range kernels {
		var call []string
		for _, parameter := range structs[name] {
			if embedded := structs[parameter]; embedded != nil {
				call = append(call, embedded...)
			} else {
				call = append(call, parameter)
			}
		}
		if !slices.Equal(call, want) {
			t.Errorf("kernel %s has the parameters\n\t%q, its call has\n\t%q", name, want, call)
		}
	}
}

// A search allocates memory for its kernels' buffers, and frees all of it.
func TestMemory(t *testing.T) {
	d := &counting{simulator: &simulator{}}
	s := New(d)
	g := shapes(rand.New(rand.NewPCG(8, 9)), true)["shallow"]
	for _, p := range Problems() {
		for _, name := range Solving(p) {
			search, err := s.Of(g, p, name)
			if err == nil {
				err = search.Run(t.Context(), 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			if d.held != search.Bytes() || d.held == 0 {
				t.Errorf("%s by %s: %d bytes held, %d told", p, name, d.held, search.Bytes())
			}
			search.Release()
			if d.held != 0 {
				t.Errorf("%s by %s: %d bytes held after its end", p, name, d.held)
			}
		}
	}
}

// counting is a simulator that counts the memory in use, and whose call number
// `failing` fails.
type counting struct {
	*simulator
	held           int64
	calls, failing int
}

func (c *counting) fails() error {
	if c.calls++; c.calls == c.failing {
		return errBroken
	}
	return nil
}

var errBroken = errors.New("broken")

func (c *counting) Allocate(bytes int) (Buffer, error) {
	if err := c.fails(); err != nil {
		return nil, err
	}
	b, err := c.simulator.Allocate(bytes)
	c.held += int64(bytes)
	return &sized{b, int64(bytes)}, err
}

type sized struct {
	Buffer
	bytes int64
}

func (c *counting) Free(b Buffer) { c.held -= b.(*sized).bytes }

func (c *counting) Build(source, options string) (Program, error) {
	if err := c.fails(); err != nil {
		return nil, err
	}
	return c.simulator.Build(source, options)
}

func (c *counting) Write(to Buffer, offset int, data []byte) error {
	if err := c.fails(); err != nil {
		return err
	}
	return c.simulator.Write(to.(*sized).Buffer, offset, data)
}

func (c *counting) Read(from Buffer, offset int, data []byte) error {
	if err := c.fails(); err != nil {
		return err
	}
	return c.simulator.Read(from.(*sized).Buffer, offset, data)
}

func (c *counting) Launch(k Kernel, groups, items int, call any) error {
	if err := c.fails(); err != nil {
		return err
	}
	call = value(call)
	bound := reflect.New(reflect.TypeOf(call)).Elem()
	bound.Set(reflect.ValueOf(call))
	for _, of := range naming.Fields(bound.Type()) {
		if b, ok := bound.FieldByIndex(of.Index).Interface().(*sized); ok {
			bound.FieldByIndex(of.Index).Set(reflect.ValueOf(&b.Buffer).Elem())
		}
	}
	return c.simulator.Launch(k, groups, items, bound.Interface())
}

// Whichever call to the device fails, the search ends with its error, and all memory
// can be freed.
func TestEveryFailure(t *testing.T) {
	g := shapes(rand.New(rand.NewPCG(8, 9)), true)["grid"]
	for _, p := range Problems() {
		for _, name := range Solving(p) {
			for failing, failed := 1, true; failed; failing++ {
				d := &counting{simulator: &simulator{}, failing: failing}
				search, err := New(d).Of(g, p, name)
				if err == nil {
					if err = search.Run(t.Context(), 0); err == nil {
						_, err = search.Found()
					}
					search.Release()
				}
				if failed = d.calls >= failing; failed != errors.Is(err, errBroken) || d.held != 0 {
					t.Fatalf("%s by %s, call %d: %v, %d bytes held", p, name, failing, err, d.held)
				}
			}
		}
	}
}
