//go:build !purego

package lengths

func kernelSets() []kernels { return []kernels{portable()} }
