package gpu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"bcstage/gpu/internal/driver"
)

// counting is a driver around another. It counts calls and unreleased objects,
// can make calls fail, and can act before launches.
type counting struct {
	driver.Driver
	*counters
}

type counters struct {
	calls, live atomic.Int64
	fail        func(call int64, what string) error // nil: none
	launched    func()                              // nil: none
	mu          sync.Mutex
	bytes       int64 // allocated
	most        int64 // 0: no limit
}

func (c *counters) call(what string) error {
	n := c.calls.Add(1)
	if c.fail != nil {
		return c.fail(n, what)
	}
	return nil
}

// made counts an object that must be released.
func (c *counters) made() func() {
	c.live.Add(1)
	return func() { c.live.Add(-1) }
}

func (c *counting) Release() { c.Driver.Release(); c.live.Add(-1) }

func (c *counting) Build(source, options string) (driver.Program, error) {
	if err := c.call("build"); err != nil {
		return nil, err
	}
	p, err := c.Driver.Build(source, options)
	if err != nil {
		return nil, err
	}
	return countedProgram{p, c.counters, c.made()}, nil
}

func (c *counting) Allocate(bytes int) (driver.Buffer, error) {
	if err := c.call("allocate"); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.most > 0 && c.bytes+int64(bytes) > c.most {
		return nil, fmt.Errorf("%w: %w", driver.ErrDevice, driver.ErrMemory)
	}
	b, err := c.Driver.Allocate(bytes)
	if err != nil {
		return nil, err
	}
	c.bytes += int64(bytes)
	done := c.made()
	return countedBuffer{b, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bytes -= int64(bytes)
		done()
	}}, nil
}

func (c *counting) Queue() (driver.Queue, error) {
	if err := c.call("queue"); err != nil {
		return nil, err
	}
	q, err := c.Driver.Queue()
	if err != nil {
		return nil, err
	}
	return countedQueue{q, c.counters, c.made()}, nil
}

type countedProgram struct {
	driver.Program
	c    *counters
	done func()
}

func (p countedProgram) Release() { p.Program.Release(); p.done() }

func (p countedProgram) Kernel(name string) (driver.Kernel, error) {
	if err := p.c.call("kernel"); err != nil {
		return nil, err
	}
	k, err := p.Program.Kernel(name)
	if err != nil {
		return nil, err
	}
	return countedKernel{k, p.c.made()}, nil
}

type countedKernel struct {
	driver.Kernel
	done func()
}

func (k countedKernel) Release() { k.Kernel.Release(); k.done() }

type countedBuffer struct {
	driver.Buffer
	done func()
}

func (b countedBuffer) Release() { b.Buffer.Release(); b.done() }

type countedQueue struct {
	driver.Queue
	c    *counters
	done func()
}

func (q countedQueue) Release() { q.Queue.Release(); q.done() }

func (q countedQueue) Finish() error {
	if err := q.c.call("finish"); err != nil {
		return err
	}
	return q.Queue.Finish()
}

func (q countedQueue) Write(to driver.Buffer, offset int, data []byte) error {
	if err := q.c.call("write"); err != nil {
		return err
	}
	return q.Queue.Write(to.(countedBuffer).Buffer, offset, data)
}

func (q countedQueue) Read(from driver.Buffer, offset int, data []byte) error {
	if err := q.c.call("read"); err != nil {
		return err
	}
	return q.Queue.Read(from.(countedBuffer).Buffer, offset, data)
}

func (q countedQueue) Launch(k driver.Kernel, groups, items [2]int, call any) error {
	if err := q.c.call("launch"); err != nil {
		return err
	}
	if q.c.launched != nil {
		q.c.launched()
	}
	call = withBuffers(call, func(_ string, b driver.Buffer) driver.Buffer { return b.(countedBuffer).Buffer })
	return q.Queue.Launch(k.(countedKernel).Kernel, groups, items, call)
}
