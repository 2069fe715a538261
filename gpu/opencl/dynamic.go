//go:build !opencl && !nodevices && linux && (amd64 || arm64)

package opencl

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"bcstage/gpu/internal/driver"
)

// Go's memory goes to C as uintptr(unsafe.Pointer(p)) only among the arguments of SyscallN, where the
// compiler keeps it in place until the call returns. No command reads or writes it later: every read and
// write here blocks, and kernel arguments are copied.

// Queries about devices and platforms: CL_DEVICE_*, CL_PLATFORM_NAME.
const (
	platformName = 0x0902

	deviceType              = 0x1000
	deviceMaxComputeUnits   = 0x1002
	deviceMaxWorkGroupSize  = 0x1004
	deviceMaxMemAllocSize   = 0x1010
	deviceGlobalMemSize     = 0x101F
	deviceLocalMemSize      = 0x1023
	deviceEndianLittle      = 0x1026
	deviceAvailable         = 0x1027
	deviceCompilerAvailable = 0x1028
	deviceName              = 0x102B
	driverVersion           = 0x102D
	deviceExtensions        = 0x1030
)

// BuiltIn tells whether this build can have devices.
const BuiltIn = true

func devices() ([]driver.Device, error) {
	l := loaded()
	if l == nil {
		return nil, noLoader()
	}
	platforms, err := l.platforms()
	switch {
	case err == platformNotFound, err == nil && len(platforms) == 0:
		return nil, noDriver()
	case err != nil:
		return nil, fmt.Errorf("gpu: list platforms: %w", failed(err))
	}
	var list []driver.Device
	var names []string
	for _, platform := range platforms {
		names = append(names, l.platformText(platform, platformName))
		found, err := l.devicesOf(platform)
		if err == deviceNotFound {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("gpu: list devices: %w", failed(err))
		}
		for _, device := range found {
			list = append(list, l.describe(names[len(names)-1], device, len(list)))
		}
	}
	if len(list) == 0 {
		return nil, noDevice(names)
	}
	return list, nil
}

func (l *functions) describe(platform string, device uintptr, number int) driver.Device {
	d := driver.Device{
		Number: number, Handle: device, Platform: platform,
		Name: l.deviceText(device, deviceName), Kind: kindOf(l.number(device, deviceType)), Driver: l.deviceText(device, driverVersion),
		Memory: int64(l.number(device, deviceGlobalMemSize)), MaxAlloc: int64(l.number(device, deviceMaxMemAllocSize)), LocalMemory: int64(l.number(device, deviceLocalMemSize)),
		ComputeUnits: int(l.number(device, deviceMaxComputeUnits)), MaxWorkGroup: int(l.number(device, deviceMaxWorkGroupSize)),
	}
	yes := func(what uintptr) bool { return l.number(device, what) != 0 }
	d.Judge(yes(deviceAvailable), yes(deviceCompilerAvailable), yes(deviceEndianLittle), l.deviceText(device, deviceExtensions))
	return d
}

// opened is a device with a context of its own.
type opened struct {
	*functions
	device, context uintptr
}

func open(d driver.Device) (driver.Driver, error) {
	o := &opened{functions: loaded(), device: d.Handle.(uintptr)}
	context, err := created(func(result *int32) uintptr {
		handle, _, _ := purego.SyscallN(o.createContext, 0, 1, uintptr(unsafe.Pointer(&o.device)), 0, 0, uintptr(unsafe.Pointer(result)))
		return handle
	})
	if err != nil {
		return nil, fmt.Errorf("create context: %w", err)
	}
	o.context = context
	return o, nil
}

// created is the handle from a function whose last argument is its error.
func created(by func(result *int32) uintptr) (uintptr, error) {
	result := new(int32)
	handle := by(result)
	return handle, check(uintptr(*result))
}

// cString is a text with a final 0, as C expects.
func cString(text string) *byte {
	bytes := append([]byte(text), 0)
	return &bytes[0]
}

func (o *opened) Release() { release(o.releaseContext, o.context) }

func (o *opened) Build(source, options string) (driver.Program, error) {
	text := cString(source)
	program, err := created(func(result *int32) uintptr {
		handle, _, _ := purego.SyscallN(o.createProgramWithSource, o.context, 1, uintptr(unsafe.Pointer(&text)), 0, uintptr(unsafe.Pointer(result)))
		return handle
	})
	if err != nil {
		return nil, fmt.Errorf("create program: %w", err)
	}
	result, _, _ := purego.SyscallN(o.buildProgram, program, 1, uintptr(unsafe.Pointer(&o.device)), uintptr(unsafe.Pointer(cString(options))), 0, 0)
	if c := code(int32(result)); c != 0 {
		log := o.buildLog(program, o.device)
		release(o.releaseProgram, program)
		if log == "" {
			log = c.Error()
		}
		return nil, noBuild(log)
	}
	return built{o.functions, program}, nil
}

func (o *opened) Allocate(bytes int) (driver.Buffer, error) {
	const readWrite = 1
	memory, err := created(func(result *int32) uintptr {
		handle, _, _ := purego.SyscallN(o.createBuffer, o.context, readWrite, uintptr(bytes), 0, uintptr(unsafe.Pointer(result)))
		return handle
	})
	if err != nil {
		return nil, fmt.Errorf("allocate %d bytes: %w", bytes, err)
	}
	return buffer{o.functions, memory}, nil
}

func (o *opened) Queue() (driver.Queue, error) {
	q, err := created(func(result *int32) uintptr {
		handle, _, _ := purego.SyscallN(o.createCommandQueue, o.context, o.device, 0, uintptr(unsafe.Pointer(result)))
		return handle
	})
	if err != nil {
		return nil, fmt.Errorf("create queue: %w", err)
	}
	return queue{o.functions, q}, nil
}

type built struct {
	*functions
	program uintptr
}

func (b built) Release() { release(b.releaseProgram, b.program) }

func (b built) Kernel(name string) (driver.Kernel, error) {
	k, err := created(func(result *int32) uintptr {
		handle, _, _ := purego.SyscallN(b.createKernel, b.program, uintptr(unsafe.Pointer(cString(name))), uintptr(unsafe.Pointer(result)))
		return handle
	})
	if err != nil {
		return nil, fmt.Errorf("create kernel %s: %w", name, err)
	}
	return &kernel{functions: b.functions, kernel: k, name: name}, nil
}

type buffer struct {
	*functions
	memory uintptr
}

func (b buffer) Release() { release(b.releaseMemObject, b.memory) }

type kernel struct {
	*functions
	kernel        uintptr
	name          string
	set           arguments[buffer]
	global, local [2]uintptr // of the last launch
}

func (k *kernel) Release() { release(k.releaseKernel, k.kernel) }

// argument sets one argument, which OpenCL copies.
func (k *kernel) argument(i int, memory buffer, number uint32) error {
	if memory.functions == nil {
		result, _, _ := purego.SyscallN(k.setKernelArg, k.kernel, uintptr(i), unsafe.Sizeof(number), uintptr(unsafe.Pointer(&number)))
		return check(result)
	}
	result, _, _ := purego.SyscallN(k.setKernelArg, k.kernel, uintptr(i), unsafe.Sizeof(memory.memory), uintptr(unsafe.Pointer(&memory.memory)))
	return check(result)
}

type queue struct {
	*functions
	queue uintptr
}

func (q queue) Release() { release(q.releaseCommandQueue, q.queue) }

func (q queue) Finish() error {
	result, _, _ := purego.SyscallN(q.finish, q.queue)
	if err := check(result); err != nil {
		return fmt.Errorf("finish: %w", err)
	}
	return nil
}

func (q queue) Write(to driver.Buffer, offset int, data []byte) error {
	if err := q.copy(q.enqueueWriteBuffer, to, offset, data); err != nil {
		return fmt.Errorf("write %d bytes: %w", len(data), err)
	}
	return nil
}

func (q queue) Read(from driver.Buffer, offset int, data []byte) error {
	if err := q.copy(q.enqueueReadBuffer, from, offset, data); err != nil {
		return fmt.Errorf("read %d bytes: %w", len(data), err)
	}
	return nil
}

// copy reads or writes a buffer and waits for the end.
func (q queue) copy(function uintptr, device driver.Buffer, offset int, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	const blocks = 1
	result, _, _ := purego.SyscallN(function, q.queue, device.(buffer).memory, blocks, uintptr(offset), uintptr(len(data)), uintptr(unsafe.Pointer(&data[0])), 0, 0, 0)
	return check(result)
}

func (q queue) Launch(launched driver.Kernel, groups, items [2]int, call any) error {
	k := launched.(*kernel)
	if err := k.set.changes(k.name, call, k.argument); err != nil {
		return err
	}
	for i := range k.global {
		k.global[i], k.local[i] = uintptr(groups[i]*items[i]), uintptr(items[i])
	}
	result, _, _ := purego.SyscallN(q.enqueueNDRangeKernel, q.queue, k.kernel, 2, 0,
		uintptr(unsafe.Pointer(&k.global[0])), uintptr(unsafe.Pointer(&k.local[0])), 0, 0, 0)
	if err := check(result); err != nil {
		return fmt.Errorf("launch %s: %w", k.name, err)
	}
	return nil
}
