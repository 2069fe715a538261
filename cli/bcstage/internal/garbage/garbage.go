// Package garbage has a process collect garbage late for the first time.
//
// Flow: its initialization sets the percentage; the command imports it for that alone. Go initializes packages in the
// order of their paths as far as imports allow, so this one comes before the packages of other modules. Those allocate
// 3 MB, which is enough to start a collection in every second process.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
)

// firstHeap is how large the heap grows before garbage is collected for the first
// time. By default Go begins at 4 MiB, and a run of a tenth of a second, whose heap
// never grows much beyond, would spend a tenth to a quarter of its time on that.
const firstHeap = 64 << 20

func init() { collectLate() }

// collectLate has garbage collected from firstHeap on, or where a limit of memory asks
// for it; from then on as by default. A percentage in GOGC stays.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const leastHeap = 4 << 20 // at which Go begins by default, at its 100 percent
	usual := debug.SetGCPercent(100 * (firstHeap / leastHeap))
	witness := new([64]byte) // that nothing refers to: gone after the first collection
	runtime.AddCleanup(witness, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
