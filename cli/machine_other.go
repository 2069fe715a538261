//go:build !linux

package cli

// machineMemory is all that the machine has, in bytes; 0: not known.
func machineMemory() int64 { return 0 }
