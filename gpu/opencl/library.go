//go:build !opencl && !nodevices && linux && (amd64 || arm64)

package opencl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// functions has the addresses of the functions of OpenCL 1.2 that are called:
// https://registry.khronos.org/OpenCL/sdk/1.2/docs/man/xhtml/
type functions struct {
	getPlatformIDs, getPlatformInfo, getDeviceIDs, getDeviceInfo           uintptr
	createContext, releaseContext, createCommandQueue, releaseCommandQueue uintptr
	createBuffer, releaseMemObject                                         uintptr
	programFunctions
	enqueueNDRangeKernel, enqueueReadBuffer, enqueueWriteBuffer, finish uintptr
}

// programFunctions has the addresses of the functions for programs and kernels.
type programFunctions struct {
	createProgramWithSource, buildProgram, getProgramBuildInfo, releaseProgram uintptr
	createKernel, setKernelArg, releaseKernel                                  uintptr
}

// loaded is the system's loader; else one beside the executable, or one in a Python wheel, below
// the folder that holds bin. nil: there is none. It is never closed: some drivers do not survive
// that.
var loaded = sync.OnceValue(func() *functions {
	places := []string{"libOpenCL.so.1"}
	if executable, err := os.Readlink("/proc/self/exe"); err == nil {
		folder := filepath.Dir(executable)
		places = append(places, filepath.Join(folder, "libOpenCL.so.1"), filepath.Join(folder, "../lib/bcstage/libOpenCL.so.1"))
	}
	for _, place := range places {
		if l, err := load(place); err == nil {
			return l
		}
	}
	return nil
})

// load opens a library that has all functions.
func load(path string) (*functions, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	var l functions
	for name, address := range map[string]*uintptr{
		"clGetPlatformIDs": &l.getPlatformIDs, "clGetPlatformInfo": &l.getPlatformInfo,
		"clGetDeviceIDs": &l.getDeviceIDs, "clGetDeviceInfo": &l.getDeviceInfo,
		"clCreateContext": &l.createContext, "clReleaseContext": &l.releaseContext,
		"clCreateCommandQueue": &l.createCommandQueue, "clReleaseCommandQueue": &l.releaseCommandQueue,
		"clCreateProgramWithSource": &l.createProgramWithSource, "clBuildProgram": &l.buildProgram,
		"clGetProgramBuildInfo": &l.getProgramBuildInfo, "clReleaseProgram": &l.releaseProgram,
		"clCreateKernel": &l.createKernel, "clSetKernelArg": &l.setKernelArg, "clReleaseKernel": &l.releaseKernel,
		"clCreateBuffer": &l.createBuffer, "clReleaseMemObject": &l.releaseMemObject,
		"clEnqueueNDRangeKernel": &l.enqueueNDRangeKernel, "clEnqueueReadBuffer": &l.enqueueReadBuffer,
		"clEnqueueWriteBuffer": &l.enqueueWriteBuffer, "clFinish": &l.finish,
	} {
		if *address, err = purego.Dlsym(handle, name); err != nil {
			return nil, err
		}
	}
	return &l, nil
}

// code is an error code of OpenCL.
type code int32

const (
	deviceNotFound      code = -1
	allocationFailure   code = -4
	outOfResources      code = -5
	outOfHostMemory     code = -6
	buildProgramFailure code = -11
	invalidBufferSize   code = -61
	platformNotFound    code = -1001 // CL_PLATFORM_NOT_FOUND_KHR: a loader without a driver
)

func (c code) Error() string {
	if name, ok := map[code]string{
		deviceNotFound: "device not found", -2: "device not available", -3: "compiler not available",
		allocationFailure: "memory object allocation failure", outOfResources: "out of resources", outOfHostMemory: "out of host memory",
		buildProgramFailure: "build program failure", -30: "invalid value", -38: "invalid memory object", -46: "invalid kernel name",
		-52: "invalid kernel arguments", -54: "invalid work-group size", invalidBufferSize: "invalid buffer size", platformNotFound: "platform not found",
	}[c]; ok {
		return fmt.Sprintf("OpenCL: %s (%d)", name, int32(c))
	}
	return fmt.Sprintf("OpenCL: error %d", int32(c))
}

// check is the error of a function's result, or of the code that it left in its last argument.
func check(result uintptr) error {
	switch c := code(int32(result)); c {
	case 0:
		return nil
	case allocationFailure, outOfResources, outOfHostMemory, invalidBufferSize:
		return outOfMemory(c)
	default:
		return failed(c)
	}
}

// release calls a function with one handle. It ignores failure, as there is no remedy.
func release(function, handle uintptr) { purego.SyscallN(function, handle) }

// platforms lists the loader's platforms.
func (l *functions) platforms() ([]uintptr, error) {
	return handles(func(room uintptr, list *uintptr, count *uint32) uintptr {
		result, _, _ := purego.SyscallN(l.getPlatformIDs, room, uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(count)))
		return result
	})
}

// devicesOf lists a platform's devices.
func (l *functions) devicesOf(platform uintptr) ([]uintptr, error) {
	return handles(func(room uintptr, list *uintptr, count *uint32) uintptr {
		result, _, _ := purego.SyscallN(l.getDeviceIDs, platform, typeAll, room, uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(count)))
		return result
	})
}

// handles asks for the number of handles, and then for all of them.
func handles(ask func(room uintptr, list *uintptr, count *uint32) uintptr) ([]uintptr, error) {
	count := new(uint32)
	if c := code(int32(ask(0, nil, count))); c != 0 || *count == 0 {
		return nil, none(c)
	}
	list := make([]uintptr, *count)
	return list, none(code(int32(ask(uintptr(len(list)), &list[0], nil))))
}

// none returns a nil error for code 0.
func none(c code) error {
	if c == 0 {
		return nil
	}
	return c
}

// platformText and deviceText are a property as text, buildLog the compiler's messages; "" on
// failure.
func (l *functions) platformText(platform, what uintptr) string {
	return text(func(room uintptr, words *byte, size *uintptr) uintptr {
		result, _, _ := purego.SyscallN(l.getPlatformInfo, platform, what, room, uintptr(unsafe.Pointer(words)), uintptr(unsafe.Pointer(size)))
		return result
	})
}

func (l *functions) deviceText(device, what uintptr) string {
	return text(func(room uintptr, words *byte, size *uintptr) uintptr {
		result, _, _ := purego.SyscallN(l.getDeviceInfo, device, what, room, uintptr(unsafe.Pointer(words)), uintptr(unsafe.Pointer(size)))
		return result
	})
}

func (l *functions) buildLog(program, device uintptr) string {
	const buildLog = 0x1183
	return text(func(room uintptr, words *byte, size *uintptr) uintptr {
		result, _, _ := purego.SyscallN(l.getProgramBuildInfo, program, device, buildLog, room, uintptr(unsafe.Pointer(words)), uintptr(unsafe.Pointer(size)))
		return result
	})
}

// text asks for the length of a text, and then for all of it.
func text(ask func(room uintptr, words *byte, size *uintptr) uintptr) string {
	size := new(uintptr)
	if ask(0, nil, size) != 0 || *size == 0 {
		return ""
	}
	words := make([]byte, *size)
	if ask(*size, &words[0], nil) != 0 {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(string(words), "\x00"))
}

// number is a property of a device, of up to 64 bits; 0 on failure.
func (l *functions) number(device, what uintptr) uint64 {
	number := new(uint64)
	if result, _, _ := purego.SyscallN(l.getDeviceInfo, device, what, 8, uintptr(unsafe.Pointer(number)), 0); result != 0 {
		return 0
	}
	return *number
}
