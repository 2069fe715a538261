//go:build opencl

package gpu

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/enqueue"
)

// What go-opencl leaves to its callers, and how this file deals with it:
//
//   - Flush calls clFinish. Nothing here flushes: every chain of launches ends
//     in a blocking read, which flushes.
//   - Every enqueue makes an event with a finalizer. Those of reads and writes are
//     released at once; launches go past go-opencl (internal/enqueue).
//   - A read that does not block would write Go memory after the call has
//     returned. Every read and write here blocks.
//   - SetArg knows no int, float64 or nil and allocates; arguments here are
//     buffers and uint32, and one that has not changed is not set again.
//   - Asking a device about itself panics when the answer is longer than 1024
//     bytes, as lists of extensions are.
//   - The errors below are unnamed ErrOthers.

const (
	// noPlatforms is CL_PLATFORM_NOT_FOUND_KHR: an ICD loader that finds no driver.
	noPlatforms = cl.ErrOther(-1001)
	// noLoader is the answer of internal/loader, which release builds are linked
	// with, where libOpenCL.so.1 is not there.
	noLoader = cl.ErrOther(-2001)
)

// handle is what open needs of a device.
type handle struct{ device *cl.Device }

func devices() ([]driver.Device, error) {
	platforms, err := cl.GetPlatforms()
	switch {
	case err == noLoader:
		return nil, missing("there is no OpenCL loader (libOpenCL.so.1): install one, such as the package ocl-icd-libopencl1, and the driver's OpenCL part")
	case err == noPlatforms, err == nil && len(platforms) == 0:
		return nil, missing("there is an OpenCL loader, but no driver has registered with it (/etc/OpenCL/vendors)")
	case err != nil:
		return nil, fmt.Errorf("gpu: list platforms: %w", class(err))
	}
	var list []driver.Device
	for _, platform := range platforms {
		found, err := platform.GetDevices(cl.DeviceTypeAll)
		if err == cl.ErrDeviceNotFound {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("gpu: list devices: %w", class(err))
		}
		for _, device := range found {
			list = append(list, describe(platform, device, len(list)))
		}
	}
	if len(list) == 0 {
		names := make([]string, len(platforms))
		for i, platform := range platforms {
			names[i] = strings.TrimSpace(platform.Name())
		}
		return nil, missing("of the OpenCL drivers, %s, none has a device", strings.Join(names, ", "))
	}
	return list, nil
}

// missing is ErrNoDevice with what is not there.
func missing(format string, args ...any) error {
	return fmt.Errorf("gpu: %w: %s", driver.ErrNoDevice, fmt.Sprintf(format, args...))
}

func describe(platform *cl.Platform, device *cl.Device, number int) (d driver.Device) {
	d = driver.Device{Number: number, Handle: handle{device}}
	defer func() {
		if failed := recover(); failed != nil {
			d.Unusable = fmt.Sprintf("does not describe itself: %v", failed)
		}
	}()
	d.Platform = strings.TrimSpace(platform.Name())
	d.Name = strings.TrimSpace(device.Name())
	d.Kind = kindOf(device.Type())
	d.Driver = device.DriverVersion()
	d.Memory = device.GlobalMemSize()
	d.MaxAlloc = device.MaxMemAllocSize()
	d.LocalMemory = device.LocalMemSize()
	d.ComputeUnits = device.MaxComputeUnits()
	d.MaxWorkGroup = device.MaxWorkGroupSize()
	d.Judge(device.Available(), device.CompilerAvailable(), device.EndianLittle(), extensions(device))
	return d
}

func kindOf(t cl.DeviceType) driver.Kind {
	switch {
	case t&cl.DeviceTypeGPU != 0:
		return driver.KindGPU
	case t&cl.DeviceTypeCPU != 0:
		return driver.KindCPU
	case t&cl.DeviceTypeAccelerator != 0:
		return driver.KindAccelerator
	}
	return driver.KindOther
}

// extensions of a device. Where the list is too long for go-opencl, whether the
// device computes in float64 is asked directly.
func extensions(device *cl.Device) (list string) {
	defer func() {
		if recover() != nil {
			list = ""
			if device.DoubleFPConfig() != 0 {
				list = "cl_khr_fp64"
			}
		}
	}()
	return device.Extensions()
}

// class wraps an error of go-opencl in the package's own.
func class(err error) error {
	switch err {
	case cl.ErrMemObjectAllocationFailure, cl.ErrOutOfResources, cl.ErrOutOfHostMemory, cl.ErrInvalidBufferSize:
		return fmt.Errorf("%w: %w: %w", driver.ErrDevice, driver.ErrMemory, err)
	}
	if broken := cl.BuildError(""); errors.As(err, &broken) {
		return fmt.Errorf("%w: %w: %s", driver.ErrDevice, driver.ErrBuild, strings.TrimRight(string(broken), "\x00\n "))
	}
	return fmt.Errorf("%w: %w", driver.ErrDevice, err)
}

// opened is a device with a context of its own.
type opened struct {
	device  *cl.Device
	context *cl.Context
}

func open(d driver.Device) (driver.Driver, error) {
	device := d.Handle.(handle).device
	context, err := cl.CreateContext([]*cl.Device{device})
	if err != nil {
		return nil, fmt.Errorf("create context: %w", class(err))
	}
	return &opened{device, context}, nil
}

func (o *opened) Release() { o.context.Release() }

func (o *opened) Build(source, options string) (driver.Program, error) {
	p, err := o.context.CreateProgramWithSource([]string{source})
	if err != nil {
		return nil, fmt.Errorf("create program: %w", class(err))
	}
	if err := p.BuildProgram([]*cl.Device{o.device}, options); err != nil {
		p.Release()
		if _, logged := err.(cl.BuildError); !logged {
			return nil, fmt.Errorf("%w: %w: %w", driver.ErrDevice, driver.ErrBuild, err)
		}
		return nil, class(err)
	}
	return built{p}, nil
}

func (o *opened) Allocate(bytes int) (driver.Buffer, error) {
	memory, err := o.context.CreateEmptyBuffer(cl.MemReadWrite, bytes)
	if err != nil {
		return nil, fmt.Errorf("allocate %d bytes: %w", bytes, class(err))
	}
	return clBuffer{memory}, nil
}

func (o *opened) Queue() (driver.Queue, error) {
	q, err := o.context.CreateCommandQueue(o.device, 0)
	if err != nil {
		return nil, fmt.Errorf("create queue: %w", class(err))
	}
	return &clQueue{q, enqueue.On(q)}, nil
}

type built struct{ program *cl.Program }

func (b built) Release() { b.program.Release() }

func (b built) Kernel(name string) (driver.Kernel, error) {
	k, err := b.program.CreateKernel(name)
	if err != nil {
		return nil, fmt.Errorf("create kernel %s: %w", name, class(err))
	}
	return &clKernel{kernel: k, launched: enqueue.Of(k), name: name}, nil
}

type clBuffer struct{ memory *cl.MemObject }

func (b clBuffer) Release() { b.memory.Release() }

// clKernel remembers its arguments, so that a launch sets only what changed.
type clKernel struct {
	kernel   *cl.Kernel
	launched enqueue.Kernel
	name     string
	set      []argument
}

// argument is a number, or memory.
type argument struct {
	known  bool
	number uint32
	memory *cl.MemObject
}

func (k *clKernel) Release() { k.kernel.Release() }

// setArguments takes the fields of a call, a struct or a pointer to one.
func (k *clKernel) setArguments(call any) error {
	v := reflect.ValueOf(call)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if len(k.set) != v.NumField() {
		k.set = make([]argument, v.NumField())
	}
	for i := range k.set {
		a := argument{known: true}
		field := v.Field(i)
		if field.Kind() == reflect.Uint32 {
			a.number = uint32(field.Uint())
		} else if b, ok := field.Interface().(clBuffer); ok {
			a.memory = b.memory
		} else {
			panic(fmt.Sprintf("gpu: kernel %s: argument %d has type %T", k.name, i, field.Interface()))
		}
		if k.set[i] == a {
			continue
		}
		var err error
		if a.memory != nil {
			err = k.kernel.SetArgBuffer(i, a.memory)
		} else {
			err = k.kernel.SetArgUint32(i, a.number)
		}
		if err != nil {
			return fmt.Errorf("kernel %s: argument %d: %w", k.name, i, class(err))
		}
		k.set[i] = a
	}
	return nil
}

type clQueue struct {
	queue    *cl.CommandQueue
	launches enqueue.Queue
}

func (q *clQueue) Release() { q.queue.Release() }

func (q *clQueue) Finish() error {
	if err := q.queue.Finish(); err != nil {
		return fmt.Errorf("finish: %w", class(err))
	}
	return nil
}

func (q *clQueue) Write(to driver.Buffer, offset int, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	event, err := q.queue.EnqueueWriteBuffer(to.(clBuffer).memory, true, offset, len(data), unsafe.Pointer(&data[0]), nil)
	event.Release()
	runtime.KeepAlive(data)
	if err != nil {
		return fmt.Errorf("write %d bytes: %w", len(data), class(err))
	}
	return nil
}

func (q *clQueue) Read(from driver.Buffer, offset int, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	event, err := q.queue.EnqueueReadBuffer(from.(clBuffer).memory, true, offset, len(data), unsafe.Pointer(&data[0]), nil)
	event.Release()
	runtime.KeepAlive(data)
	if err != nil {
		return fmt.Errorf("read %d bytes: %w", len(data), class(err))
	}
	return nil
}

func (q *clQueue) Launch(k driver.Kernel, groups, items [2]int, call any) error {
	c := k.(*clKernel)
	if err := c.setArguments(call); err != nil {
		return err
	}
	err := q.launches.Launch(c.launched, groups, items)
	if err != nil {
		return fmt.Errorf("launch %s: %w", c.name, class(err))
	}
	return nil
}
