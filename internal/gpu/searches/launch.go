package searches

import (
	"embed"
	"fmt"
	"math/bits"
	"reflect"
	"strings"

	"bcstage/internal/gpu/naming"
)

//go:embed kernels/*.cl
var texts embed.FS

// source is the text of all kernels.
func source() string {
	var text strings.Builder
	for _, name := range []string{"common", "topology", "queue", "arcs", "workload", "hierarchical", "hybrid", "narrow", "direction", "near", "lanes", "independent"} {
		part, err := texts.ReadFile("kernels/" + name + ".cl")
		if err != nil {
			panic(err) // it is in the binary
		}
		text.Write(part)
	}
	return text.String()
}

// A call holds the arguments of a kernel. It is a struct named like the kernel (edgeStep
// for edge_step). Its fields are the parameters, by name and in their order: a uint32 for
// a number, a Buffer for memory, or a struct of these (naming.Fields). A test compares every call
// with the kernel's text.
// Buffers that a call leaves out are the search's of the same name, the same at every launch.

// commands are those of one search to its device. After a command that fails, the others do nothing: what they
// would read stays as it was, and err says why.
type commands struct {
	of       *Searches
	program  Program
	memory   func(name string) (Buffer, error) // in place of a buffer that a call leaves out
	bindings map[reflect.Type]*binding         // of the kernels that were launched
	err      error
}

func (s *Searches) commands(p Problem, memory func(name string) (Buffer, error)) (commands, error) {
	program, err := s.program(p)
	return commands{of: s, program: program, memory: memory, bindings: make(map[reflect.Type]*binding)}, err
}

// launch runs a call's kernel in that many work-groups.
func (c *commands) launch(call any, groups int) { c.run(call, groups, c.of.group) }

// crewed launches a call with one work-group of the largest size.
func (c *commands) crewed(call any) { c.run(call, 1, c.of.crew) }

// all launches a call with as many work-groups as the device can run at once, or fewer if
// count items need no more.
func (c *commands) all(call any, count int) { c.launch(call, c.of.groups(count)) }

func (c *commands) run(call any, groups, items int) {
	if c.err == nil {
		c.err = c.bind(call, groups, items)
	}
}

// buffer returns the memory of a name.
func (c *commands) buffer(name string) (b Buffer) {
	if c.err == nil {
		b, c.err = c.memory(name)
	}
	return b
}

func (c *commands) write(name string, data []byte) {
	if b := c.buffer(name); c.err == nil {
		c.err = c.of.device.Write(b, 0, data)
	}
}

func (c *commands) read(name string, data []byte) {
	if b := c.buffer(name); c.err == nil {
		c.err = c.of.device.Read(b, 0, data)
	}
}

// binding is the common part of launches of one kernel.
type binding struct {
	kernel  Kernel
	fields  []reflect.StructField
	buffers []reflect.Value // by field: the search's buffer of its name, if a call has left it out
	call    reflect.Value   // the last one, to which the device has a pointer
}

// bind launches a call with the buffers that it leaves out.
func (c *commands) bind(call any, groups, items int) error {
	kind := reflect.TypeOf(call)
	b := c.bindings[kind]
	if b == nil {
		kernel, err := c.program.Kernel(naming.Kernel(kind))
		if err != nil {
			return err
		}
		fields := naming.Fields(kind)
		b = &binding{kernel, fields, make([]reflect.Value, len(fields)), reflect.New(kind)}
		c.bindings[kind] = b
	}
	bound := b.call.Elem()
	bound.Set(reflect.ValueOf(call))
	for i := range b.fields {
		field := bound.FieldByIndex(b.fields[i].Index)
		if field.Kind() != reflect.Interface || !field.IsNil() {
			continue
		}
		if !b.buffers[i].IsValid() {
			own, err := c.memory(b.fields[i].Name)
			if err != nil {
				return err
			}
			b.buffers[i] = reflect.ValueOf(own)
		}
		field.Set(b.buffers[i])
	}
	return c.of.device.Launch(b.kernel, groups, items, b.call.Interface())
}

func (s *Searches) groups(count int) int {
	full := s.device.Units() * max(2048/s.group, 1)
	return min(max((count+s.group-1)/s.group, 1), full)
}

// options of the compiler.
func options(p Problem, group, crew int) string {
	return fmt.Sprintf("-cl-std=CL1.2 -D PROBLEM=%s -D GROUP=%d -D CREW=%d", strings.ToUpper(string(p)), group, crew)
}

// crewOf returns the largest number of work-items of a crew, given the bytes of local
// memory. near_crew needs 44 for each and a few more: of the 48 KB of many devices, 44.
func crewOf(local int) int { return min(1024, max((local-64)/44, 1)) }

// groupOf returns the size of work-groups: a power of two, at most most.
func groupOf(d Device, most int) int { return 1 << (bits.Len(uint(min(d.Group(), most))) - 1) }
