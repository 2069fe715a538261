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

// A call is what a kernel is launched with: a struct that has the kernel's name
// (edgeStep for edge_step) and its parameters as fields, by name and in their order, a
// uint32 for a number and a Buffer for memory. A test holds every call against the
// kernel's text. Buffers that a call leaves out are the search's of the same name.

// launch runs a call's kernel in so many work-groups.
func (s *Search) launch(call any, groups int) error { return s.run(call, groups, s.of.group) }

// crewed launches a call with one work-group as large as can be.
func (s *Search) crewed(call any) error { return s.run(call, 1, s.of.crew) }

// binding is what launches of one kernel have in common.
type binding struct {
	kernel  Kernel
	buffers []reflect.Value // by field: the search's of its name, if a call has left one out
	call    reflect.Value   // the last one, of which the device has a pointer
}

func (s *Search) run(call any, groups, items int) error {
	kind := reflect.TypeOf(call)
	b := s.bindings[kind]
	if b == nil {
		k, err := s.program.Kernel(naming.Kernel(kind))
		if err != nil {
			return err
		}
		b = &binding{k, make([]reflect.Value, kind.NumField()), reflect.New(kind)}
		s.bindings[kind] = b
	}
	bound := b.call.Elem()
	bound.Set(reflect.ValueOf(call))
	for i := range b.buffers {
		field := bound.Field(i)
		if field.Kind() != reflect.Interface || !field.IsNil() {
			continue
		}
		if !b.buffers[i].IsValid() {
			own, err := s.buffer(kind.Field(i).Name)
			if err != nil {
				return err
			}
			b.buffers[i] = reflect.ValueOf(own)
		}
		field.Set(b.buffers[i])
	}
	return s.of.device.Launch(b.kernel, groups, items, b.call.Interface())
}

// all launches a call with as many work-groups as the device can hold at once, or
// fewer where there are not more than count items to work on.
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

// crewOf is how many work-items a crew has at most, with so many bytes of local memory, of
// which near_crew takes 44 for each and a few more: of the 48 KB of many devices, 44.
func crewOf(local int) int { return min(1024, max((local-64)/44, 1)) }

// groupOf is the size of work-groups: a power of two, at most so many.
func groupOf(d Device, most int) int { return 1 << (bits.Len(uint(min(d.Group(), most))) - 1) }
