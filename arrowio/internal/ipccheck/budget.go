package ipccheck

import (
	"sync/atomic"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"bcstage/arrowio/internal/faults"
)

// budget is an allocator that refuses, by a panic for faults.Recover, what no
// honest input of its size needs. Without it a corrupt length in a few bytes of
// input allocates until the process dies.
type budget struct {
	memory.Allocator
	expansion   int // arrowio.Options.MaxExpansion
	used, limit atomic.Int64
}

// grant allows what a message of so many bytes may need on top of what is held,
// and a copy of that: a dictionary that grows is copied.
func (b *budget) grant(bytes int) {
	b.limit.Store(2*b.used.Load() + faults.MayExpand(int64(bytes), b.expansion))
}

func (b *budget) Allocate(size int) []byte {
	b.charge(size)
	return b.Allocator.Allocate(size)
}

func (b *budget) Reallocate(size int, old []byte) []byte {
	b.charge(size - len(old))
	return b.Allocator.Reallocate(size, old)
}

func (b *budget) Free(old []byte) {
	b.used.Add(-int64(len(old)))
	b.Allocator.Free(old)
}

func (b *budget) charge(size int) {
	used := b.used.Add(int64(size))
	if limit := b.limit.Load(); used > limit {
		b.used.Add(-int64(size))
		panic(faults.Corrupt("%d bytes are needed where %d are plausible", used, limit))
	}
}
