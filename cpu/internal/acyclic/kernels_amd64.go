//go:build !purego

package acyclic

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C ../asm ./acyclic -out ../acyclic/kernels_amd64.s -stubs ../acyclic/kernels_stubs_amd64.go -pkg acyclic

// withKernels replaces kernels of portable sets by kernels in assembly: the fastest of this processor, up to
// the instruction set of that name.
func withKernels(set string, short, narrow *kernels) {
	avx2 := cpu.X86.HasAVX2
	for _, k := range []*kernels{short, narrow} {
		switch {
		case set == "avx512" && avx2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
			k.forward, k.backward, k.relax = forwardAVX512, backwardAVX512, relaxAVX512
		case set != "go" && avx2:
			k.forward, k.backward, k.relax = forwardAVX2, backwardAVX2, relaxAVX2
		}
	}
}
