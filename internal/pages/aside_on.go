//go:build invariants

package pages

import "sync/atomic"

// aside is the number of bytes requested beyond the rows, to align their beginning and their
// end to large pages. These bytes are never written, except the last part of a page, and so
// take no memory.
var aside atomic.Int64

func countAside(bytes int64) { aside.Add(bytes) }

// Aside returns the bytes requested beyond rows, if they are counted. Tests subtract them
// from the allocator's count.
func Aside() (bytes int64, counted bool) { return aside.Load(), true }
