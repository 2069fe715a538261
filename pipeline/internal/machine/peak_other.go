//go:build !unix

package machine

import "runtime"

// Peak is the memory that the Go runtime has taken from the system, in bytes.
func Peak() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.Sys)
}
