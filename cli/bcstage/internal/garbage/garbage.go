// Package garbage decides when a process collects garbage: late for the first time, and early where the heap is large.
//
// Flow: its initialization sets the percentage; the command imports it for nothing else. Go initializes packages in
// the order of their paths as far as imports allow, so this one comes before the packages of other modules. Those
// allocate 3 MB, which is enough to start a collection in every second process.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// firstHeap is the size of the heap at the first garbage collection. By default Go begins at 4 MiB, and a run of a
	// tenth of a second, whose heap hardly grows beyond, would spend a tenth to a quarter of its time on that.
	firstHeap = 64 << 20

	// mostGarbage is the garbage that may be waiting beside a large heap, unless that is leastPercent of the heap. By
	// default, garbage doubles the heap. That of a large graph is a few arrays without references: collections take
	// no time that could be measured.
	mostGarbage  = 256 << 20
	leastPercent = 10
)

func init() { collect() }

// collect lets the first collection wait for firstHeap, or for a memory limit. A percentage in GOGC stays.
func collect() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const first = 100 * firstHeap / (4 << 20) // Go's first collection, at 100 percent, is at 4 MiB
	follow(debug.SetGCPercent(first), first)
}

// follow sets the percentage, now another one, after each collection, by the memory that it has left.
func follow(usual, now int) {
	witness := new([64]byte) // without references: gone after the next collection
	runtime.AddCleanup(witness, func(usual int) {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		next := percentOf(stats.NextGC/uint64(100+now)*100, usual)
		debug.SetGCPercent(next)
		follow(usual, next)
	}, usual)
}

// percentOf is the percentage for a heap of so many bytes.
func percentOf(live uint64, usual int) int {
	return max(min(usual, int(100*mostGarbage/max(live, 1))), min(usual, leastPercent))
}
