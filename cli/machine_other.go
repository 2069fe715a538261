//go:build !linux

package cli

import "runtime"

// machineName is what tables say of the machine.
func machineName() string { return runtime.GOARCH }

// machineMemory is all that the machine has, in bytes; 0: not known.
func machineMemory() int64 { return 0 }
