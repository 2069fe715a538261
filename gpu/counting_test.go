package gpu

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// counting is a driver around another. It counts calls and what is not released
// yet, can make calls fail, and can act before launches.
type counting struct {
	driver
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

// made notes something that must be released.
func (c *counters) made() func() {
	c.live.Add(1)
	return func() { c.live.Add(-1) }
}

func (c *counting) release() { c.driver.release(); c.live.Add(-1) }

func (c *counting) build(source, options string) (program, error) {
	if err := c.call("build"); err != nil {
		return nil, err
	}
	p, err := c.driver.build(source, options)
	if err != nil {
		return nil, err
	}
	return countedProgram{p, c.counters, c.made()}, nil
}

func (c *counting) allocate(bytes int) (buffer, error) {
	if err := c.call("allocate"); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.most > 0 && c.bytes+int64(bytes) > c.most {
		return nil, fmt.Errorf("%w: %w", ErrDevice, ErrMemory)
	}
	b, err := c.driver.allocate(bytes)
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

func (c *counting) queue() (queue, error) {
	if err := c.call("queue"); err != nil {
		return nil, err
	}
	q, err := c.driver.queue()
	if err != nil {
		return nil, err
	}
	return countedQueue{q, c.counters, c.made()}, nil
}

type countedProgram struct {
	program
	c    *counters
	done func()
}

func (p countedProgram) release() { p.program.release(); p.done() }

func (p countedProgram) kernel(name string) (kernel, error) {
	if err := p.c.call("kernel"); err != nil {
		return nil, err
	}
	k, err := p.program.kernel(name)
	if err != nil {
		return nil, err
	}
	return countedKernel{k, p.c.made()}, nil
}

type countedKernel struct {
	kernel
	done func()
}

func (k countedKernel) release() { k.kernel.release(); k.done() }

type countedBuffer struct {
	buffer
	done func()
}

func (b countedBuffer) release() { b.buffer.release(); b.done() }

type countedQueue struct {
	queue
	c    *counters
	done func()
}

func (q countedQueue) release() { q.queue.release(); q.done() }

func (q countedQueue) finish() error {
	if err := q.c.call("finish"); err != nil {
		return err
	}
	return q.queue.finish()
}

func (q countedQueue) write(to buffer, offset int, data []byte) error {
	if err := q.c.call("write"); err != nil {
		return err
	}
	return q.queue.write(to.(countedBuffer).buffer, offset, data)
}

func (q countedQueue) read(from buffer, offset int, data []byte) error {
	if err := q.c.call("read"); err != nil {
		return err
	}
	return q.queue.read(from.(countedBuffer).buffer, offset, data)
}

func (q countedQueue) launch(k kernel, groups, items [2]int, call any) error {
	if err := q.c.call("launch"); err != nil {
		return err
	}
	if q.c.launched != nil {
		q.c.launched()
	}
	call = withBuffers(call, func(_ string, b buffer) buffer { return b.(countedBuffer).buffer })
	return q.queue.launch(k.(countedKernel).kernel, groups, items, call)
}
