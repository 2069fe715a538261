//go:build !purego

package distances

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C ../asm ./distances -out ../distances/kernels_amd64.s -stubs ../distances/kernels_stubs_amd64.go -pkg distances

// kernelSets returns the sets of this processor, the fastest first.
func kernelSets() []kernels {
	var sets []kernels
	if cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT {
		sets = append(sets, kernels{"avx2", pushAVX2, settleAVX2, pullAVX2})
	}
	return append(sets, portable())
}
