// Package budget bounds the memory of everything that a run reads. One Budget is shared by all tables of a run: lists
// of ids, the vertex table, the edges. Memory is taken from it before a batch is decoded, and given back when the batch
// is released.
//
//	Budget: the limit, long-term memory, short-term memory of readers and batches
//	Line: readers that work ahead of each other, and whose turn it is
//	Account: one reader's place in that line
//	Charge: the memory of one buffer
//
// All methods do nothing on a nil Budget, or on a Line, Account or Charge made of one.
package budget

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// ErrMemory says that the limit would be exceeded.
var ErrMemory = errors.New("not enough memory")

// Free is how much readers and batches may take beside the limit: buffers of this size exist whatever is read.
const Free = 16 << 20

// Budget is memory with a limit. It is for use by any number of goroutines.
type Budget struct {
	limit int64

	mu      sync.Mutex
	given   sync.Cond // signalled when memory is given back, or the turn of a Line passes on
	held    int64     // for long: by ids of sets, by tables of vertices
	passing int64     // by batches that their receiver gives back
	reading int64     // by readers, before it is a batch
	garbage int64     // given back, and maybe not collected yet
	peak    int64     // the most that all have taken
}

// New returns a budget of limit bytes; nil, which has no limit, if that is 0.
func New(limit int64) *Budget {
	if limit <= 0 {
		return nil
	}
	b := &Budget{limit: limit}
	b.given.L = &b.mu
	return b
}

// Hold changes the long-term memory by that many bytes. It fails, and changes nothing, if they exceed the limit together
// with the memory of readers. Batches on their way do not count: they are given back.
func (b *Budget) Hold(bytes int64) error {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if bytes <= 0 {
		b.held += bytes
		b.garbage -= bytes // a table has outgrown it
		b.given.Broadcast()
		return nil
	}
	if all := b.held + bytes + max(b.reading-Free, 0); all > b.limit {
		return b.refusal(all)
	}
	b.collect(bytes)
	b.held += bytes
	b.note()
	return nil
}

// Held returns the long-term memory.
func (b *Budget) Held() int64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.held
}

// Peak returns the most memory taken at one time, including Free.
func (b *Budget) Peak() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.peak
}

// Out returns the memory that readers and batches have not given back.
func (b *Budget) Out() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reading + b.passing
}

func (b *Budget) note() { b.peak = max(b.peak, b.held+b.reading+b.passing) }

// with returns the memory that counts if readers take that many bytes more.
func (b *Budget) with(bytes int64) int64 {
	return b.held + max(b.reading+b.passing+bytes-Free, 0)
}

// collect makes room for that many bytes where only garbage is in their way. The collector does not know of a large
// buffer before it is made, and would run too late.
func (b *Budget) collect(bytes int64) {
	if b.garbage > 0 && b.with(bytes)+b.garbage > b.limit {
		runtime.GC()
		b.garbage = 0
	}
}

func (b *Budget) refusal(bytes int64) error {
	return fmt.Errorf("%w: %s are needed to read on, %s may be used", ErrMemory, Text(bytes), Text(b.limit))
}

// most bounds the memory of readers and batches together, unless one batch exceeds half of it. Long-term memory may
// grow up to the limit while they are on their way.
func (b *Budget) most() int64 { return max(b.limit/16, Free) }

// aheadMost is the memory up to which a reader may read before its turn.
func (b *Budget) aheadMost() int64 { return max(b.limit/16, Free/2) }

// Line is the order in which the batches of several readers are wanted.
type Line struct {
	budget *Budget
	turn   int64
}

// Line returns a new line, for one input.
func (b *Budget) Line() *Line { return &Line{budget: b} }

// Turn says that the batch of that number, counted from 0, is wanted now.
func (l *Line) Turn(number int64) {
	if l.budget == nil {
		return
	}
	l.budget.mu.Lock()
	defer l.budget.mu.Unlock()
	l.turn = number
	l.budget.given.Broadcast()
}

// Account is a reader's place in a line. It is for use by one goroutine.
type Account struct {
	ctx  context.Context
	line *Line
	// Number is that of the reader's current batch.
	Number int64
}

// Account returns an account that stops waiting when ctx ends.
func (l *Line) Account(ctx context.Context) *Account { return &Account{ctx: ctx, line: l} }

// Charge is the memory of a buffer. The zero value belongs to no account.
type Charge struct {
	of      *Account
	budget  *Budget
	bytes   int64
	passing bool
}

// Charge returns an empty charge.
func (a *Account) Charge() Charge {
	if a == nil {
		return Charge{}
	}
	return Charge{of: a, budget: a.line.budget}
}

// Sibling returns an empty charge of the same account.
func (c *Charge) Sibling() Charge { return Charge{of: c.of, budget: c.budget} }

// Take takes that many bytes more.
//
// A reader whose turn it is waits until batches on their way have been given back, and fails if that is not enough.
// Other readers wait for their turn if too much would be read ahead. So nobody holds memory that the first in line
// needs, and a refusal depends on the input alone, up to a sixteenth of the limit. Both also wait where many batches
// are on their way, since their receiver holds memory for them, too.
func (c *Charge) Take(bytes int64) error {
	b := c.budget
	if b == nil || bytes <= 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var stop func() bool
	for {
		first, fits := c.of.Number <= c.of.line.turn, b.with(bytes) <= b.limit
		out := b.reading + b.passing + bytes
		switch {
		case c.of.ctx.Err() != nil:
			return context.Cause(c.of.ctx)
		case fits && first && (b.passing == 0 || out <= b.most()), fits && out <= b.aheadMost():
			b.collect(bytes)
			c.bytes += bytes
			b.reading += bytes
			b.note()
			return nil
		case first && b.passing == 0:
			return b.refusal(b.with(bytes))
		}
		if stop == nil {
			stop = context.AfterFunc(c.of.ctx, func() {
				b.mu.Lock()
				defer b.mu.Unlock()
				b.given.Broadcast()
			})
			defer stop()
		}
		b.given.Wait()
	}
}

// Give gives that many bytes back, or all if there are fewer.
func (c *Charge) Give(bytes int64) {
	b := c.budget
	if b == nil || c.bytes == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	bytes = min(bytes, c.bytes)
	c.bytes -= bytes
	if c.passing {
		b.passing -= bytes
	} else {
		b.reading -= bytes
	}
	b.given.Broadcast()
}

// Waste gives that many bytes back that nobody uses again.
func (c *Charge) Waste(bytes int64) {
	b := c.budget
	if b == nil {
		return
	}
	b.mu.Lock()
	b.garbage += min(bytes, c.bytes)
	b.mu.Unlock()
	c.Give(bytes)
}

// Drop wastes everything.
func (c *Charge) Drop() {
	c.Waste(c.bytes)
	c.passing = false
}

// Clear gives everything back.
func (c *Charge) Clear() {
	c.Give(c.bytes)
	c.passing = false
}

// Pass says that the buffer is on its way to a receiver, who will clear the charge.
func (c *Charge) Pass() {
	b := c.budget
	if b == nil || c.passing {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	c.passing = true
	b.reading -= c.bytes
	b.passing += c.bytes
	b.given.Broadcast()
}

// Text returns a size for people: binary units, three digits.
func Text(bytes int64) string {
	value, units := float64(bytes), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	for value >= 1000 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	return fmt.Sprintf("%.3g %s", value, units[0])
}
