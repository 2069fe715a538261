// Package driver is the interface of the engine to a device.
package driver

// Team is TEAM of all kernels: work-items that share a row, and lanes of one mask word.
const Team = 32

// Driver is an opened device. It is small so that tests can stand in for it:
// one stand-in makes its k-th call fail, another runs the Go twins of the
// kernels.
//
// Calls on different queues and kernels may be concurrent; a queue and its
// kernels belong to one goroutine at a time. Every error is an ErrDevice, and
// also ErrMemory or ErrBuild if that is the cause.
type Driver interface {
	// Build compiles the kernels.
	Build(source, options string) (Program, error)
	// Allocate reserves device memory, contents undefined.
	Allocate(bytes int) (Buffer, error)
	Queue() (Queue, error)
	Release()
}

// Program is a set of compiled kernels.
type Program interface {
	Kernel(name string) (Kernel, error)
	Release()
}

type (
	Kernel interface{ Release() }
	Buffer interface{ Release() }
)

// Queue runs its commands in order.
type Queue interface {
	// Write returns when data may be changed again.
	Write(to Buffer, offset int, data []byte) error
	// Read waits until everything before it is done and data is filled.
	Read(from Buffer, offset int, data []byte) error
	// Launch returns at once. The call holds the kernel's arguments: see
	// launch.go.
	Launch(k Kernel, groups, items [2]int, call any) error
	// Finish waits until everything is done.
	Finish() error
	Release()
}
