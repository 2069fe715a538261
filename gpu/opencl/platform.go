// Package opencl has the OpenCL devices of the machine for package gpu. It is a package of its own, so that
// programs that compute on cores link neither.
//
// Flow: Platform.Devices lists the devices, Platform.Open makes a context on one. Then driver.Driver builds
// programs, fills buffers, launches kernels and reads buffers.
//
// There are two bindings below the same functions:
//
//	dynamic.go  opens libOpenCL.so.1 when the first device is asked for, without cgo
//	            (github.com/ebitengine/purego): linux on amd64 and arm64
//	cgo.go      is linked with OpenCL (github.com/jgillich/go-opencl): any system, with
//	            the tag "opencl"
//	none.go     reports that there is no OpenCL: other systems, or the tag "nodevices", with
//	            which a static program needs no C library
//
// Ownership: whoever opens a device releases it, after everything made on it. Units are bytes. Complexity: a call
// is one or two of OpenCL's.
package opencl

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"bcstage/gpu"
	"bcstage/gpu/internal/driver"
)

// Platform is the OpenCL of this machine.
type Platform struct{}

// Devices starts the devices of this machine: see pipeline.Compute.
func Devices() gpu.Starter { return gpu.On{Platform: Platform{}} }

// Devices lists the devices of every driver: see driver.Platform.
func (Platform) Devices() ([]driver.Device, error) {
	listing.Lock()
	defer listing.Unlock()
	return devices()
}

// listing is held while drivers list their devices. They start on the first such call, and PoCL crashes if two
// goroutines make it.
var listing sync.Mutex

// Open makes a context on a device.
func (Platform) Open(d driver.Device) (driver.Driver, error) { return open(d) }

// missing is ErrNoDevice with the reason.
func missing(format string, args ...any) error {
	return fmt.Errorf("gpu: %w: %s", driver.ErrNoDevice, fmt.Sprintf(format, args...))
}

// Reasons why there is no device.
func noLoader() error {
	return missing("there is no OpenCL loader (libOpenCL.so.1): install one, such as the package ocl-icd-libopencl1, and the driver's OpenCL part")
}

func noDriver() error {
	return missing("there is an OpenCL loader, but no driver has registered with it (/etc/OpenCL/vendors)")
}

func noDevice(platforms []string) error {
	return missing("of the OpenCL drivers, %s, none has a device", strings.Join(platforms, ", "))
}

// Bits of CL_DEVICE_TYPE.
const (
	typeCPU         = 1 << 1
	typeGPU         = 1 << 2
	typeAccelerator = 1 << 3
	typeAll         = 0xFFFFFFFF
)

func kindOf(bits uint64) driver.Kind {
	switch {
	case bits&typeGPU != 0:
		return driver.KindGPU
	case bits&typeCPU != 0:
		return driver.KindCPU
	case bits&typeAccelerator != 0:
		return driver.KindAccelerator
	}
	return driver.KindOther
}

// outOfMemory and failed wrap an OpenCL error in the classes of package gpu.
func outOfMemory(err error) error {
	return fmt.Errorf("%w: %w: %w", driver.ErrDevice, driver.ErrMemory, err)
}

func failed(err error) error { return fmt.Errorf("%w: %w", driver.ErrDevice, err) }

// noBuild wraps the compiler's log, or a text in its place.
func noBuild(log string) error {
	return fmt.Errorf("%w: %w: %s", driver.ErrDevice, driver.ErrBuild, strings.TrimRight(log, "\x00\n "))
}

// arguments has the last arguments of a kernel, so that a launch sets only changed ones. B is a binding's buffer.
type arguments[B comparable] []argument[B]

// argument is a number or a buffer.
type argument[B comparable] struct {
	known  bool
	number uint32
	memory B
}

// changes calls set for each field of a call, a struct or a pointer to one, that differs from the last call. For
// a number, memory is the zero B.
func (list *arguments[B]) changes(kernel string, call any, set func(i int, memory B, number uint32) error) error {
	v := reflect.ValueOf(call)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	_, err := list.from(0, kernel, v, set)
	return err
}

// from is changes for arguments from number i on, which a struct holds. It returns the number after the last.
func (list *arguments[B]) from(i int, kernel string, v reflect.Value, set func(i int, memory B, number uint32) error) (int, error) {
	var none B
	for k := range v.NumField() {
		a := argument[B]{known: true}
		field := v.Field(k)
		if field.Kind() == reflect.Struct { // see naming.Fields
			var err error
			if i, err = list.from(i, kernel, field, set); err != nil {
				return i, err
			}
			continue
		}
		if field.Kind() == reflect.Uint32 {
			a.number = uint32(field.Uint())
		} else if memory, ok := field.Interface().(B); ok && memory != none {
			a.memory = memory
		} else {
			panic(fmt.Sprintf("opencl: kernel %s: argument %d has type %T", kernel, i, field.Interface()))
		}
		if i == len(*list) {
			*list = append(*list, argument[B]{})
		}
		if (*list)[i] != a {
			if err := set(i, a.memory, a.number); err != nil {
				return i, fmt.Errorf("kernel %s: argument %d: %w", kernel, i, err)
			}
			(*list)[i] = a
		}
		i++
	}
	return i, nil
}
