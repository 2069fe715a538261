//go:build unix && !linux

package machine

import (
	"runtime"
	"syscall"
)

// Peak is the largest resident size of this process so far, in bytes.
func Peak() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) * 1024
}
