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

// launch runs a call's kernel in that many work-groups.
func (s *Search) launch(call any, groups int) error { return s.kernels.run(call, groups, s.of.group) }

// crewed launches a call with one work-group of the largest size.
func (s *Search) crewed(call any) error { return s.kernels.run(call, 1, s.of.crew) }

// kernels are the kernels of a program, as far as they were launched.
type kernels struct {
	device   Device
	program  Program
	buffer   func(name string) (Buffer, error) // in place of one that a call leaves out
	bindings map[reflect.Type]*binding
}

func (s *Searches) kernels(p Problem, buffer func(name string) (Buffer, error)) (kernels, error) {
	program, err := s.program(p)
	return kernels{s.device, program, buffer, make(map[reflect.Type]*binding)}, err
}

// binding is the common part of launches of one kernel.
type binding struct {
	kernel  Kernel
	fields  []reflect.StructField
	buffers []reflect.Value // by field: the search's buffer of its name, if a call has left it out
	call    reflect.Value   // the last one, to which the device has a pointer
}

func (k *kernels) run(call any, groups, items int) error {
	kind := reflect.TypeOf(call)
	b := k.bindings[kind]
	if b == nil {
		kernel, err := k.program.Kernel(naming.Kernel(kind))
		if err != nil {
			return err
		}
		fields := naming.Fields(kind)
		b = &binding{kernel, fields, make([]reflect.Value, len(fields)), reflect.New(kind)}
		k.bindings[kind] = b
	}
	bound := b.call.Elem()
	bound.Set(reflect.ValueOf(call))
	for i := range b.fields {
		field := bound.FieldByIndex(b.fields[i].Index)
		if field.Kind() != reflect.Interface || !field.IsNil() {
			continue
		}
		if !b.buffers[i].IsValid() {
			own, err := k.buffer(b.fields[i].Name)
			if err != nil {
				return err
			}
			b.buffers[i] = reflect.ValueOf(own)
		}
		field.Set(b.buffers[i])
	}
	return k.device.Launch(b.kernel, groups, items, b.call.Interface())
}

// all launches a call with as many work-groups as the device can run at once, or fewer if
// count items need no more.
func (s *Search) all(call any, count int) error {
	return s.launch(call, s.of.groups(count))
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
