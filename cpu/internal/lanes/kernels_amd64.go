//go:build !purego

package lanes

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C ../asm . -out ../lanes/kernels_amd64.s -stubs ../lanes/kernels_stubs_amd64.go -pkg lanes

// Sets returns the sets of this processor, the fastest first.
func Sets() []Set {
	var sets []Set
	avx2 := cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && cpu.X86.HasFMA
	float64s := kernels[float64]{forwardAVX2f64, backwardAVX2f64, backwardAnyAVX2, backwardFlowsAVX2}
	float32s := kernels[float32]{forwardAVX2f32, backwardAVX2f32, goKernels[float32]().backwardDrawn, nil}
	line, entries := goLineKernels(), (*entryKernels)(nil)
	if avx2 {
		entries = &entryKernels{listOutAVX2, countEntriesAVX2, kernels[float64]{backward: backwardAnyAVX2, backwardDrawn: backwardAnyAVX2, backwardFlows: backwardFlowsAVX2}}
		line = lineKernels{forwardLineAVX2, backwardLineAVX2, lastLineAVX2, backwardLineByEntryAVX2, lastLineByEntryAVX2, listOutAVX2, listBackAVX2, keepRowsAVX2, keepEntriesAVX2, addLineAVX2}
	}
	if avx2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		full := kernels[float64]{forwardAVX512f64, backwardAVX512f64, backwardAnyAVX512, backwardFlowsAVX2}
		wide := *entries
		wide.count, wide.back.backward, wide.back.backwardDrawn = countEntriesAVX512, backwardAnyAVX512, backwardAnyAVX512
		sets = append(sets, Set{
			Name: "avx512",
			line: line, entries: &wide, linesOut: &wide, WideEntries: true, SumFlows: sumFlowsAVX2,
			float64: rowKernels[float64]{any: float64s, full: full},
			float32: rowKernels[float32]{any: float32s, full: kernels[float32]{forwardAVX512f32, backwardAVX512f32, float32s.backwardDrawn, nil}},
		})
	}
	if avx2 {
		sets = append(sets, Set{
			Name: "avx2",
			line: line, entries: entries, linesOut: entries, SumFlows: sumFlowsAVX2,
			float64: rowKernels[float64]{float64s, float64s},
			float32: rowKernels[float32]{float32s, float32s},
		})
	}
	return append(sets, Portable())
}
