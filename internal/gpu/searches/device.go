package searches

import "errors"

// Errors by class; test with errors.Is. Others are the device's own.
var (
	// ErrProblem: the strategy does not solve the problem, or the graph lacks what the problem
	// needs.
	ErrProblem = errors.New("cannot be searched so")
	// ErrRange: a distance exceeds 32 bits.
	ErrRange = errors.New("distances beyond 32 bits")
	// ErrDiffers: a search's result differs from that of the cores.
	ErrDiffers = errors.New("differs from the cores' search")
)

// Device is an opened device with one queue, which runs its commands in order. One goroutine
// uses it at a time.
type Device interface {
	Name() string
	Group() int // largest number of work-items of a work-group
	Units() int // compute units
	Local() int // bytes of memory that a work-group shares

	Build(source, options string) (Program, error)
	Allocate(bytes int) (Buffer, error) // contents undefined
	Free(Buffer)
	// Write returns when data may be changed again.
	Write(to Buffer, offset int, data []byte) error
	// Read waits until everything before it is done and data is filled.
	Read(from Buffer, offset int, data []byte) error
	// Launch returns at once. The call holds the kernel's arguments: a struct or a pointer to
	// one, which may change when Launch has returned: see launch.go.
	Launch(k Kernel, groups, items int, call any) error
	Close()
}

// Program is a set of compiled kernels.
type Program interface {
	Kernel(name string) (Kernel, error)
	Release()
}

type (
	Kernel any // of a Program
	Buffer any // memory of a Device
)
