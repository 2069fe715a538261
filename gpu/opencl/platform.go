// Package opencl has the OpenCL devices of the machine for package gpu. It is apart from that package, so that
// programs which compute on cores are linked with neither.
//
// Flow: Platform.Devices lists what there is, Platform.Open makes a context on one, and driver.Driver says what
// is done there: programs are built, buffers filled, kernels launched, buffers read.
//
// There are two bindings below the same functions:
//
//	dynamic.go  opens libOpenCL.so.1 when the first device is asked for, without cgo
//	            (github.com/ebitengine/purego): linux on amd64 and arm64
//	cgo.go      is linked with OpenCL (github.com/jgillich/go-opencl): any system, with
//	            the tag "opencl"
//	none.go     says that there is none: other systems, or the tag "nodevices", with which
//	            a static program needs no C library
//
// Ownership: whoever opens a device releases it, and what was made on it before. Units are bytes. Complexity: a
// call is one or two of OpenCL's.
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

// Devices lists the devices of every driver: see gpu.Platform.
func (Platform) Devices() ([]driver.Device, error) {
	listing.Lock()
	defer listing.Unlock()
	return devices()
}

// listing is held while drivers are asked for their devices. They start on the first such
// call, and PoCL crashes where two goroutines make it.
var listing sync.Mutex

// Open makes a context on a device.
func (Platform) Open(d driver.Device) (driver.Driver, error) { return open(d) }

// missing is ErrNoDevice with what is not there.
func missing(format string, args ...any) error {
	return fmt.Errorf("gpu: %w: %s", driver.ErrNoDevice, fmt.Sprintf(format, args...))
}

// What is missing where there is no device.
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

// Classes of errors of package gpu, by what OpenCL says.
func outOfMemory(err error) error {
	return fmt.Errorf("%w: %w: %w", driver.ErrDevice, driver.ErrMemory, err)
}

func failed(err error) error { return fmt.Errorf("%w: %w", driver.ErrDevice, err) }

// noBuild is the compiler's log, or what stands in its place.
func noBuild(log string) error {
	return fmt.Errorf("%w: %w: %s", driver.ErrDevice, driver.ErrBuild, strings.TrimRight(log, "\x00\n "))
}

// arguments remember what a kernel was called with, so that a launch sets only what changed. B is a
// binding's buffer.
type arguments[B comparable] []argument[B]

// argument is a number, or memory.
type argument[B comparable] struct {
	known  bool
	number uint32
	memory B
}

// changes calls set with each field of a call, a struct or a pointer to one, that is another than at the
// last call; memory is the zero B for a number.
func (list *arguments[B]) changes(kernel string, call any, set func(i int, memory B, number uint32) error) error {
	var none B
	v := reflect.ValueOf(call)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if len(*list) != v.NumField() {
		*list = make(arguments[B], v.NumField())
	}
	for i := range *list {
		a := argument[B]{known: true}
		field := v.Field(i)
		if field.Kind() == reflect.Uint32 {
			a.number = uint32(field.Uint())
		} else if memory, ok := field.Interface().(B); ok && memory != none {
			a.memory = memory
		} else {
			panic(fmt.Sprintf("opencl: kernel %s: argument %d has type %T", kernel, i, field.Interface()))
		}
		if (*list)[i] == a {
			continue
		}
		if err := set(i, a.memory, a.number); err != nil {
			return fmt.Errorf("kernel %s: argument %d: %w", kernel, i, err)
		}
		(*list)[i] = a
	}
	return nil
}
