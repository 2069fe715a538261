package gpu

// driver is an opened device, and all that the engine asks of one. It is this
// small so that tests can stand in for it: one makes its k-th call fail, one
// runs the Go twins of the kernels.
//
// Calls on different queues and kernels may be concurrent; a queue and its
// kernels belong to one goroutine at a time. Every error is an ErrDevice, and
// an ErrMemory or ErrBuild where that is the cause.
type driver interface {
	// build compiles the kernels.
	build(source, options string) (program, error)
	// allocate reserves device memory, contents undefined.
	allocate(bytes int) (buffer, error)
	queue() (queue, error)
	release()
}

// program is a set of compiled kernels.
type program interface {
	kernel(name string) (kernel, error)
	release()
}

type (
	kernel interface{ release() }
	buffer interface{ release() }
)

// queue runs what it is given in order.
type queue interface {
	// write returns when data may be changed again.
	write(to buffer, offset int, data []byte) error
	// read waits until everything before it is done and data is filled.
	read(from buffer, offset int, data []byte) error
	// launch returns at once. The call is the kernel's arguments: see launch.go.
	launch(k kernel, groups, items [2]int, call any) error
	// finish waits until everything is done.
	finish() error
	release()
}
