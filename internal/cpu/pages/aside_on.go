//go:build invariants

package pages

import "sync/atomic"

// aside is how many bytes have been asked for beyond the rows, so that these can begin
// where they do and end with a large page. All but the last part of one are never written
// to, and so take no memory.
var aside atomic.Int64

func countAside(bytes int64) { aside.Add(bytes) }

// Aside tells the bytes that were asked for beyond rows, if they are counted. Tests subtract
// them from what the allocator has counted.
func Aside() (bytes int64, counted bool) { return aside.Load(), true }
