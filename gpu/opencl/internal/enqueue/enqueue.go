//go:build opencl

// Package enqueue launches kernels without events. go-opencl makes one for every launch,
// a sixth of the cost of a launch on an H200, and nobody waits for them. The package
// takes handles from private fields of go-opencl; if these have changed, go-opencl
// launches.
package enqueue

// #cgo linux pkg-config: OpenCL
// #cgo darwin LDFLAGS: -framework OpenCL
// #cgo windows LDFLAGS: -lOpenCL
// #include <stddef.h>
// #include <stdint.h>
// #ifdef _WIN32
// __declspec(dllimport) int __stdcall
// #else
// int
// #endif
// clEnqueueNDRangeKernel(void *queue, void *kernel, uint32_t dimensions, const size_t *offset, const size_t *global,
//	const size_t *local, uint32_t waits, const void *list, void *event);
// static int launch(void *queue, void *kernel, size_t x, size_t y, size_t width, size_t height) {
//	const size_t global[2] = {x * width, y * height}, local[2] = {width, height};
//	return clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
// }
import "C"

import (
	"reflect"
	"unsafe"

	"github.com/jgillich/go-opencl/cl"
)

// Queue is a command queue for launches.
type Queue struct {
	queue  *cl.CommandQueue
	handle unsafe.Pointer // nil: not found
}

// Kernel is a kernel to launch.
type Kernel struct {
	kernel *cl.Kernel
	handle unsafe.Pointer
}

// On wraps a queue of go-opencl, which its maker still owns.
func On(q *cl.CommandQueue) Queue { return Queue{q, handle(q, "clQueue")} }

// Of wraps a kernel of go-opencl, which its maker still owns.
func Of(k *cl.Kernel) Kernel { return Kernel{k, handle(k, "clKernel")} }

// Launch enqueues a kernel in `groups` groups of `items` work-items each. If that fails,
// go-opencl launches it again and names the error.
func (q Queue) Launch(k Kernel, groups, items [2]int) error {
	if q.handle != nil && k.handle != nil &&
		C.launch(q.handle, k.handle, C.size_t(groups[0]), C.size_t(groups[1]), C.size_t(items[0]), C.size_t(items[1])) == 0 {
		return nil
	}
	event, err := q.queue.EnqueueNDRangeKernel(k.kernel, nil, []int{groups[0] * items[0], groups[1] * items[1]}, items[:], nil)
	event.Release()
	return err
}

// handle is the pointer in a field of the struct that `of` points to; nil if there is
// none.
func handle(of any, field string) unsafe.Pointer {
	if f := reflect.ValueOf(of).Elem().FieldByName(field); f.IsValid() && f.Kind() == reflect.Pointer {
		return f.UnsafePointer()
	}
	return nil
}
