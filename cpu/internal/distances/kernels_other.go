//go:build !amd64 || purego

package distances

// kernelSets are those of this processor, the fastest first.
func kernelSets() []kernels { return []kernels{portable()} }
