package gpu

import (
	"fmt"
	"reflect"

	"bcstage/gpu/internal/naming"
)

// A call is what a kernel is launched with: a struct that has the kernel's name
// (levelsForward for levels_forward) and its parameters as fields, by name and
// in their order, a uint32 for a number and a buffer for memory. A test holds
// every call against the kernel's text.
//
// launch runs a call's kernel in `groups` work-groups for each of `columns`.
// Buffers that the call leaves out are those of the same name that the graph or
// the wave has.
func (s *stream) launch(call any, groups, columns int) error {
	d := s.engine.device
	kind := reflect.TypeOf(call)
	key := kernelKey{d.variant(s.shape, s.task.options, s.task.block.Linear), kind}
	k := s.kernels[key]
	if k == nil {
		var err error
		if k, err = d.kernel(key); err != nil {
			return err
		}
		s.kernels[key] = k
	}
	return s.queue.launch(k, [2]int{groups, columns}, [2]int{key.variant.group, 1}, bind(call, s.named))
}

// kernelKey is a kernel as built for a variant, by the type of its calls.
type kernelKey struct {
	variant variant
	call    reflect.Type
}

// named is the graph's or the wave's buffer of a name.
func (s *stream) named(name string) buffer {
	if b := s.graph.memory[name]; b != nil {
		return b
	}
	return s.memory[name]
}

// flat is how many work-groups have one work-item for each of count, within
// reason: the kernels that it is for go on in strides.
func (s *stream) flat(count int) int {
	group := s.group()
	return max(min((count+group-1)/group, s.engine.device.ComputeUnits*64), 1)
}

// full is as many work-groups as the device can hold at once.
func (s *stream) full() int { return s.shape.groups }

// group is how many work-items a work-group of the wave has.
func (s *stream) group() int { return s.engine.device.groupOf(s.shape) }

// bind fills in the buffers that a call leaves out.
func bind(call any, named func(string) buffer) any {
	bound := reflect.New(reflect.TypeOf(call)).Elem()
	bound.Set(reflect.ValueOf(call))
	for i := range bound.NumField() {
		field := bound.Field(i)
		if field.Kind() != reflect.Interface || !field.IsNil() {
			continue
		}
		name := bound.Type().Field(i).Name
		b := named(name)
		if b == nil {
			panic(fmt.Sprintf("gpu: kernel %s: no buffer %s", naming.Kernel(bound.Type()), name))
		}
		field.Set(reflect.ValueOf(b))
	}
	return bound.Interface()
}
