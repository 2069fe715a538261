//go:build !unix

package pipeline

import "runtime"

// peakMemory is what the Go runtime has taken from the system, in bytes.
func peakMemory() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}
