//go:build !purego

package meshes

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C ../asm ./meshes -out ../meshes/kernels_amd64.s -stubs ../meshes/kernels_stubs_amd64.go -pkg meshes

// kernelSets are those of this processor, the fastest first.
func kernelSets[T float32 | float64]() []kernels[T] {
	var sets []kernels[T]
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasFMA {
		levels := levelKernels{"avx2", relaxAVX2, measureAVX2, collectAVX2, relaxShortAVX2, collectShortAVX2}
		var set any = kernels[float64]{levels, countf64AVX2, dependf64AVX2, dependFlowsf64AVX2}
		if _, ok := set.(kernels[T]); !ok {
			set = kernels[float32]{levels, countf32AVX2, dependf32AVX2, dependFlows[float32]}
		}
		sets = append(sets, set.(kernels[T]))
	}
	return append(sets, portable[T]())
}

// drawnSets are those for drawn sources, likewise.
func drawnSets() []kernels[float64] {
	var sets []kernels[float64]
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI1 {
		sets = append(sets, kernels[float64]{levelKernels: levelKernels{name: "avx2", relax: relaxAVX2, measure: measureDrawnAVX2}, count: countDrawnAVX2, depend: dependDrawnAVX2})
	}
	return append(sets, portableDrawn())
}
