// Package garbage delays the first garbage collection of a process.
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

// firstHeap is the size of the heap at the first garbage collection. By default Go begins at 4 MiB, and a run of a
// tenth of a second, whose heap hardly grows beyond, would spend a tenth to a quarter of its time on that.
const firstHeap = 64 << 20

func init() { collectLate() }

// collectLate lets the first collection wait for firstHeap, or for a memory limit; later ones follow Go's default. A
// percentage in GOGC stays.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const leastHeap = 4 << 20 // Go's first collection, at 100 percent
	usual := debug.SetGCPercent(100 * (firstHeap / leastHeap))
	witness := new([64]byte) // without references: gone after the first collection
	runtime.AddCleanup(witness, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
