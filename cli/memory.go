package cli

import (
	"runtime/debug"

	"bcstage/pipeline"
)

// leastHeap is the least limit of the garbage collector: below, it would run all the time.
const leastHeap = 32 << 20

// holdMemory passes the limit to the garbage collector and returns it; 0 is the machine's free
// memory. The pipeline refuses what cannot fit, and garbage must not take the rest. A lower limit
// in GOMEMLIMIT stays.
func holdMemory(limit int64) int64 {
	if limit == 0 {
		limit = pipeline.AvailableMemory()
	}
	if limit > 0 {
		debug.SetMemoryLimit(min(max(limit, leastHeap), debug.SetMemoryLimit(-1)))
	}
	return limit
}
