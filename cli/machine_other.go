//go:build !linux

package cli

import "runtime"

// machineName is the processor's architecture.
func machineName() string { return runtime.GOARCH }

// machineMemory is unknown.
func machineMemory() int64 { return 0 }
