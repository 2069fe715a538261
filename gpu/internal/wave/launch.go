package wave

import (
	"reflect"

	"bcstage/gpu/internal/driver"
)

// A call is what a kernel is launched with: a struct that has the kernel's name
// (levelsForward for levels_forward) and its parameters as fields, by name and
// in their order, a uint32 for a number and a buffer for memory. A test holds
// every call against the kernel's text.
//
// launch runs a call's kernel in `groups` work-groups for each of `columns`.
// Buffers that the call leaves out are those of the same name that the graph or
// the wave has.
func (s *Wave) Launch(call any, groups, columns int) error {
	d := s.Device
	kind := reflect.TypeOf(call)
	key := kernelKey{d.Variant(s.Shape, s.precision, s.Block.Linear), kind}
	k := s.kernels[key]
	if k == nil {
		var err error
		if k, err = d.kernel(key); err != nil {
			return err
		}
		s.kernels[key] = k
	}
	return s.Queue.Launch(k, [2]int{groups, columns}, [2]int{key.variant.group, 1}, driver.Bind(call, s.named))
}

// kernelKey is a kernel as built for a variant, by the type of its calls.
type kernelKey struct {
	variant variant
	call    reflect.Type
}

// named is the graph's or the wave's buffer of a name.
func (s *Wave) named(name string) driver.Buffer {
	if b := s.Graph.Memory[name]; b != nil {
		return b
	}
	return s.Memory[name]
}

// Flat is how many work-groups have one work-item for each of count, within
// reason: the kernels that it is for go on in strides.
func (s *Wave) Flat(count int) int {
	group := s.Group()
	return max(min((count+group-1)/group, s.Device.ComputeUnits*64), 1)
}

// Full is as many work-groups as the device can hold at once.
func (s *Wave) Full() int { return s.Shape.Groups }

// Group is how many work-items a work-group of the wave has.
func (s *Wave) Group() int { return s.Device.GroupOf(s.Shape) }
