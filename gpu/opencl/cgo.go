//go:build opencl

package opencl

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/opencl/internal/enqueue"
)

// Limits of go-opencl, and how this file deals with them:
//
//   - Flush calls clFinish. Nothing here flushes: every chain of launches ends
//     in a blocking read, which flushes.
//   - Every enqueue makes an event with a finalizer. Those of reads and writes are
//     released at once; launches go past go-opencl (internal/enqueue).
//  - A read that does not block would write Go memory after the call has
//    returned. Every read and write here blocks.
//   - SetArg knows no int, float64 or nil and allocates; arguments here are
//     buffers and uint32.
//   - Asking a device about itself panics when the answer is longer than 1024
//     bytes, as lists of extensions are.
//   - The errors below are unnamed ErrOthers.

// noPlatforms is CL_PLATFORM_NOT_FOUND_KHR: an ICD loader without a driver.
const noPlatforms = cl.ErrOther(-1001)

// BuiltIn tells whether this build can have devices.
const BuiltIn = true

func devices() ([]driver.Device, error) {
	platforms, err := cl.GetPlatforms()
	switch {
	case err == noPlatforms, err == nil && len(platforms) == 0:
		return nil, noDriver()
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
		return nil, noDevice(names)
	}
	return list, nil
}

func describe(platform *cl.Platform, device *cl.Device, number int) (d driver.Device) {
	d = driver.Device{Number: number, Handle: device}
	defer func() {
		if failed := recover(); failed != nil {
			d.Unusable = fmt.Sprintf("does not describe itself: %v", failed)
		}
	}()
	d.Platform = strings.TrimSpace(platform.Name())
	d.Name = strings.TrimSpace(device.Name())
	d.Kind = kindOf(uint64(device.Type()))
	d.Driver = device.DriverVersion()
	d.Memory = device.GlobalMemSize()
	d.MaxAlloc = device.MaxMemAllocSize()
	d.LocalMemory = device.LocalMemSize()
	d.ComputeUnits = device.MaxComputeUnits()
	d.MaxWorkGroup = device.MaxWorkGroupSize()
	d.Judge(device.Available(), device.CompilerAvailable(), device.EndianLittle(), extensions(device))
	return d
}

// extensions lists a device's extensions. If the list is too long for go-opencl,
// it asks directly whether the device computes in float64.
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

// class wraps an error of go-opencl in one of package gpu.
func class(err error) error {
	switch err {
	case cl.ErrMemObjectAllocationFailure, cl.ErrOutOfResources, cl.ErrOutOfHostMemory, cl.ErrInvalidBufferSize:
		return outOfMemory(err)
	}
	if broken := cl.BuildError(""); errors.As(err, &broken) {
		return noBuild(string(broken))
	}
	return failed(err)
}

// opened is a device with a context of its own.
type opened struct {
	device  *cl.Device
	context *cl.Context
}

func open(d driver.Device) (driver.Driver, error) {
	device := d.Handle.(*cl.Device)
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
			return nil, noBuild(err.Error())
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

type clKernel struct {
	kernel   *cl.Kernel
	launched enqueue.Kernel
	name     string
	set      arguments[clBuffer]
}

func (k *clKernel) Release() { k.kernel.Release() }

// argument sets one argument, which OpenCL copies.
func (k *clKernel) argument(i int, memory clBuffer, number uint32) error {
	var err error
	if memory.memory != nil {
		err = k.kernel.SetArgBuffer(i, memory.memory)
	} else {
		err = k.kernel.SetArgUint32(i, number)
	}
	if err != nil {
		return class(err)
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
	if err := c.set.changes(c.name, call, c.argument); err != nil {
		return err
	}
	err := q.launches.Launch(c.launched, groups, items)
	if err != nil {
		return fmt.Errorf("launch %s: %w", c.name, class(err))
	}
	return nil
}
