//go:build !amd64 || purego

package distances

// kernelSets returns the sets of this processor, the fastest first.
func kernelSets() []kernels { return []kernels{portable()} }
