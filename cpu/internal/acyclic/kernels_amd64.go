//go:build !purego

package acyclic

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C ../asm ./acyclic -out ../acyclic/kernels_amd64.s -stubs ../acyclic/kernels_stubs_amd64.go -pkg acyclic

// withKernels adds the kernels in assembly to portable sets: the fastest that this processor has, up to
// the instruction set of that name.
func withKernels(set string, short, narrow *kernels) {
	avx2 := cpu.X86.HasAVX2
	switch {
	case set == "avx512" && avx2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL:
		short.forward, short.forwardMany, short.relax, short.backward, short.backwardFlows = forwardShortAVX512, forwardManyShortAVX512, relaxShortAVX512, backwardShortAVX512, backwardFlowsShortAVX512
		narrow.forward, narrow.forwardMany, narrow.relax, narrow.backward, narrow.backwardFlows = forwardNarrowAVX512, forwardManyNarrowAVX512, relaxNarrowAVX512, backwardNarrowAVX512, backwardFlowsNarrowAVX512
	case set != "go" && avx2:
		short.forward, short.forwardMany, short.relax, short.backward, short.backwardFlows = forwardShortAVX2, forwardManyShortAVX2, relaxShortAVX2, backwardShortAVX2, backwardFlowsShortAVX2
		narrow.forward, narrow.forwardMany, narrow.relax, narrow.backward, narrow.backwardFlows = forwardNarrowAVX2, forwardManyNarrowAVX2, relaxNarrowAVX2, backwardNarrowAVX2, backwardFlowsNarrowAVX2
	}
}
