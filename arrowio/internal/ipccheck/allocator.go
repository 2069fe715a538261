package ipccheck

import (
	"sync"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/faults"
	"bcstage/internal/budget"
)

// allocator refuses, by a panic for faults.Recover, more memory than an honest input of
// its size needs, or than the reader's budget has. Without it a corrupt length in a few
// bytes of input allocates until the process dies.
type allocator struct {
	memory.Allocator
	expansion int // tables.Options.MaxExpansion

	mu          sync.Mutex
	used, limit int64
	charge      budget.Charge
	refused     error // by the budget; Arrow's reader rewords it
}

// grant allows the memory that a message of so many bytes may need beyond the held
// memory, and a copy of that: a growing dictionary is copied.
func (a *allocator) grant(bytes int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.limit = 2*a.used + faults.MayExpand(int64(bytes), a.expansion)
}

func (a *allocator) Allocate(size int) []byte {
	a.take(size)
	return a.Allocator.Allocate(size)
}

func (a *allocator) Reallocate(size int, old []byte) []byte {
	a.take(size - len(old))
	return a.Allocator.Reallocate(size, old)
}

func (a *allocator) Free(old []byte) {
	a.mu.Lock()
	a.used -= int64(len(old))
	a.charge.Waste(int64(len(old)))
	a.mu.Unlock()
	a.Allocator.Free(old)
}

func (a *allocator) take(size int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if used := a.used + int64(size); used > a.limit {
		panic(faults.Corrupt("decoding needs %d bytes; at most %d are plausible", used, a.limit))
	}
	if a.refused = a.charge.Take(int64(size)); a.refused != nil {
		panic(faults.Stop{Err: a.refused})
	}
	if size < 0 {
		a.charge.Give(int64(-size))
	}
	a.used += int64(size)
}
