package cli

import "golang.org/x/sys/unix"

// machineMemory is all that the machine has, in bytes; 0: not known.
func machineMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(uint64(info.Totalram) * uint64(info.Unit))
}
