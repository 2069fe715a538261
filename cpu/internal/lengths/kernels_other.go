//go:build !amd64 || purego

package lengths

func kernelSets() []kernels { return []kernels{portable()} }
