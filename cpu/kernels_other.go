//go:build !amd64 || purego

package cpu

func kernelSets() []kernelSet { return []kernelSet{portable()} }
