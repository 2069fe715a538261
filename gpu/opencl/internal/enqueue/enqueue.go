//go:build opencl

// Package enqueue launches kernels without making events, of which go-opencl makes one
// for every launch: a sixth of what a launch costs with an H200, and nobody waits
// for them. The handles that it takes are fields that go-opencl keeps to itself; where
// these are not what they were, launches are go-opencl's.
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

// Queue is where kernels are launched.
type Queue struct {
	queue  *cl.CommandQueue
	handle unsafe.Pointer // nil: not found
}

// Kernel is what is launched.
type Kernel struct {
	kernel *cl.Kernel
	handle unsafe.Pointer
}

// On is a queue of go-opencl's, which stays its maker's.
func On(q *cl.CommandQueue) Queue { return Queue{q, handle(q, "clQueue")} }

// Of is a kernel of go-opencl's, which stays its maker's.
func Of(k *cl.Kernel) Kernel { return Kernel{k, handle(k, "clKernel")} }

// Launch enqueues a kernel in so many groups of so many work-items each. One that fails is
// launched by go-opencl again, which has names for errors.
func (q Queue) Launch(k Kernel, groups, items [2]int) error {
	if q.handle != nil && k.handle != nil &&
		C.launch(q.handle, k.handle, C.size_t(groups[0]), C.size_t(groups[1]), C.size_t(items[0]), C.size_t(items[1])) == 0 {
		return nil
	}
	event, err := q.queue.EnqueueNDRangeKernel(k.kernel, nil, []int{groups[0] * items[0], groups[1] * items[1]}, items[:], nil)
	event.Release()
	return err
}

// handle is the pointer in a field of what `of` points to; nil if there is none.
func handle(of any, field string) unsafe.Pointer {
	if f := reflect.ValueOf(of).Elem().FieldByName(field); f.IsValid() && f.Kind() == reflect.Pointer {
		return f.UnsafePointer()
	}
	return nil
}
