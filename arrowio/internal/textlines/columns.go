package textlines

import (
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/lengths"
)

// KeyBuffer is a key column that grows row by row.
type KeyBuffer struct {
	Ints    []uint64
	bytes   []byte
	offsets []int64
}

// Grow makes room for `rows` integers, and a little more: the next batch will
// have about as many.
func (c *KeyBuffer) Grow(rows int) {
	if cap(c.Ints) < rows {
		c.Ints = make([]uint64, rows+rows/8)
	}
	c.Ints = c.Ints[:cap(c.Ints)]
}

// Start empties the column for strings of `size` bytes in all.
func (c *KeyBuffer) Start(size int) {
	if cap(c.bytes) < size {
		c.bytes = make([]byte, 0, size)
	}
	c.bytes = c.bytes[:0]
	c.offsets = append(c.offsets[:0], 0)
}

// Add appends a string.
func (c *KeyBuffer) Add(value []byte) {
	c.bytes = append(c.bytes, value...)
	c.offsets = append(c.offsets, int64(len(c.bytes)))
}

func (c *KeyBuffer) Keys(integers bool) ids.Keys {
	if integers {
		return ids.Keys{Ints: c.Ints}
	}
	return ids.Keys{Bytes: c.bytes, Offsets: c.offsets}
}

// Columns are the buffers of one batch.
type Columns struct {
	Src, Dst KeyBuffer
	Scopes   []KeyBuffer // names a vertex beside its id, or is kept
	Weights  lengths.Weights
}

// Free keeps the buffers of released batches for the next ones. It never blocks:
// the garbage collector takes the surplus.
type Free chan *Columns

func (f Free) Take() *Columns {
	select {
	case c := <-f:
		return c
	default:
		return new(Columns)
	}
}

func (f Free) Give(c *Columns) {
	if c.held() > 4*mostSpareText {
		return
	}
	select {
	case f <- c:
	default:
	}
}

// held is the memory of the buffers.
func (c *Columns) held() (bytes int) {
	for _, b := range append([]KeyBuffer{c.Src, c.Dst}, c.Scopes...) {
		bytes += 8*cap(b.Ints) + cap(b.bytes) + 8*cap(b.offsets)
	}
	return bytes
}

// Integers takes columns with a row for each line of the chunk, whose batch gives
// them back.
func (f Free) Integers(of *Chunk) (c *Columns, src, dst []uint64, weights lengths.Weights) {
	c = f.Take()
	of.Batch.OnRelease(func() { f.Give(c) })
	c.Src.Grow(of.Lines)
	c.Dst.Grow(of.Lines)
	return c, c.Src.Ints[:of.Lines], c.Dst.Ints[:of.Lines], lengths.Empty(c.Weights)
}

// Fill puts the rows found into the chunk's batch.
func (c *Columns) Fill(of *Chunk, src, dst []uint64, weights lengths.Weights) {
	of.Entries = int64(len(src))
	of.Batch.Src.Ints, of.Batch.Dst.Ints = src, dst
	c.Weights, of.Batch.Weights = weights, weights
}

// SpareBatches is how many released batches wait for their next use, beyond
// one per parsing goroutine.
const SpareBatches = 8
