package arrowio

// keyBuffer is a key column that grows row by row.
type keyBuffer struct {
	ints    []uint64
	bytes   []byte
	offsets []int64
}

// grow makes room for that many integers, and for the next batch, which will
// have about as many.
func (c *keyBuffer) grow(rows int) {
	if cap(c.ints) < rows {
		c.ints = make([]uint64, rows+rows/8)
	}
	c.ints = c.ints[:cap(c.ints)]
}

// start empties the column for strings of that many bytes in all.
func (c *keyBuffer) start(size int) {
	if cap(c.bytes) < size {
		c.bytes = make([]byte, 0, size)
	}
	c.bytes = c.bytes[:0]
	c.offsets = append(c.offsets[:0], 0)
}

// add appends a string.
func (c *keyBuffer) add(value []byte) {
	c.bytes = append(c.bytes, value...)
	c.offsets = append(c.offsets, int64(len(c.bytes)))
}

func (c *keyBuffer) keys(integers bool) Keys {
	if integers {
		return Keys{Ints: c.ints}
	}
	return Keys{Bytes: c.bytes, Offsets: c.offsets}
}

// columns are the buffers of one batch.
type columns struct {
	src, dst keyBuffer
	scopes   []keyBuffer // what names a vertex beside its id
	weights  Weights
}

// freeColumns keeps the buffers of released batches for the next ones. It
// never blocks: what does not fit is left to the garbage collector.
type freeColumns chan *columns

func (f freeColumns) take() *columns {
	select {
	case c := <-f:
		return c
	default:
		return new(columns)
	}
}

func (f freeColumns) give(c *columns) {
	if c.held() > 4*mostSpareText {
		return
	}
	select {
	case f <- c:
	default:
	}
}

// held is the memory of the buffers.
func (c *columns) held() (bytes int) {
	for _, b := range append([]keyBuffer{c.src, c.dst}, c.scopes...) {
		bytes += 8*cap(b.ints) + cap(b.bytes) + 8*cap(b.offsets)
	}
	return bytes
}

// integers are columns for at most a row a line of the chunk, whose batch gives
// them back.
func (f freeColumns) integers(of *chunk) (c *columns, src, dst []uint64, weights Weights) {
	c = f.take()
	onRelease(&of.batch, func() { f.give(c) })
	c.src.grow(of.lines)
	c.dst.grow(of.lines)
	return c, c.src.ints[:of.lines], c.dst.ints[:of.lines], emptied(c.weights)
}

// fill gives the chunk's batch the rows that were found.
func (c *columns) fill(of *chunk, src, dst []uint64, weights Weights) {
	of.entries = int64(len(src))
	of.batch.Src.Ints, of.batch.Dst.Ints = src, dst
	c.weights, of.batch.Weights = weights, weights
}

// spareBatches is how many released batches wait for their next use, beyond
// one per parsing goroutine.
const spareBatches = 8
