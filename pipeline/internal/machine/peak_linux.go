package machine

import "syscall"

// Peak is the largest resident size of this process so far, in bytes. It is the program's own:
// getrusage would include the memory of a large parent between fork and exec.
func Peak() int64 {
	if kib, ok := field(read("/proc/self/status"), "VmHWM:"); ok {
		return kib * 1024
	}
	var usage syscall.Rusage // a sandbox without /proc
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return int64(usage.Maxrss) * 1024
}
