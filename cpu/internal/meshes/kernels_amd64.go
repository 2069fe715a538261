//go:build !purego

package meshes

import (
	"golang.org/x/sys/cpu"
)

//go:generate env GOFLAGS=-tags=purego go run -C ../asm ./meshes -out ../meshes/kernels_amd64.s -stubs ../meshes/kernels_stubs_amd64.go -pkg meshes

// shifts64 has for kernels, by lane, the shift from its mask bit to the sign bit. It is made once, and then read only.
var shifts64 = signShifts()

func signShifts() (by [lanes]uint64) {
	for lane := range by {
		by[lane] = uint64(63 - lane)
	}
	return by
}

// kernelSets returns the sets of this processor, the fastest first.
func kernelSets() []kernels {
	var sets []kernels
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasFMA {
		levels := levelKernels{"avx2", relaxAVX2, measureAVX2, collectAVX2, relaxShortAVX2, collectShortAVX2}
		sets = append(sets, kernels{levels, countAVX2, dependAVX2})
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
			levels.name = "avx512"
			sets = append([]kernels{{levels, countAVX512, dependWide}}, sets...)
		}
	}
	return append(sets, portable())
}

// dependWide leaves flows to the kernel for AVX2.
func dependWide(f *frame, rows []float64, from, to int) {
	if f.slots != nil {
		dependAVX2(f, rows, from, to)
		return
	}
	dependAVX512(f, rows, from, to)
}

// drawnSets returns the sets for drawn sources, the fastest first.
func drawnSets() []kernels {
	var sets []kernels
	if cpu.X86.HasAVX2 && cpu.X86.HasBMI1 {
		sets = append(sets, kernels{levelKernels: levelKernels{name: "avx2", relax: relaxAVX2, measure: measureDrawnAVX2}, count: countDrawnAVX2, depend: dependDrawnAVX2})
	}
	return append(sets, portableDrawn())
}
