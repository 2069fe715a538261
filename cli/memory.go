package cli

import (
	"runtime/debug"

	"bcstage/pipeline"
)

// leastHeap is what the garbage collector always gets: under less it would run
// all the time, for what the program itself takes.
const leastHeap = 32 << 20

// holdMemory tells the garbage collector of the limit, 0 being what the machine
// has left, and returns it: the pipeline refuses what cannot fit, and garbage must
// not take what is left of the room. A lower limit in GOMEMLIMIT stays.
func holdMemory(limit int64) int64 {
	if limit == 0 {
		limit = pipeline.AvailableMemory()
	}
	if limit > 0 {
		debug.SetMemoryLimit(min(max(limit, leastHeap), debug.SetMemoryLimit(-1)))
	}
	return limit
}
