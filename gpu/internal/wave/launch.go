package wave

import (
	"reflect"

	"bcstage/gpu/internal/driver"
)

// Launch runs a call's kernel in `groups` work-groups for each of `columns`.
//
// A call is a struct with the kernel's name (LevelsForward for levels_forward).
// Its fields are the parameters, by name and in their order: a uint32 for a
// number and a buffer for memory. A test holds every call against the kernel's
// text. Buffers that the call leaves out are those of the same name in the graph
// or the wave.
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

// kernelKey names a kernel built for a variant, by the type of its calls.
type kernelKey struct {
	variant variant
	call    reflect.Type
}

// named is the buffer with a name, of the graph or the wave.
func (s *Wave) named(name string) driver.Buffer {
	if b := s.Graph.Memory[name]; b != nil {
		return b
	}
	return s.Memory[name]
}

// Flat is the number of work-groups with one work-item for each of count, up to a
// limit: kernels launched so take further ones in strides.
func (s *Wave) Flat(count int) int {
	group := s.Group()
	return max(min((count+group-1)/group, s.Device.ComputeUnits*64), 1)
}

// Full is the number of work-groups that the device can hold at once.
func (s *Wave) Full() int { return s.Shape.Groups }

// Group is the number of work-items of a work-group of the wave.
func (s *Wave) Group() int { return s.Device.GroupOf(s.Shape) }
