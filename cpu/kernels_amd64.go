//go:build !purego

package cpu

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C internal/asm . -out ../../kernels_amd64.s -stubs ../../kernels_stubs_amd64.go -pkg cpu

// kernelSets are those of this processor, the fastest first.
func kernelSets() []kernelSet {
	var sets []kernelSet
	avx2 := cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT && cpu.X86.HasFMA
	line, entries := goLineKernels(), (*entryKernels)(nil)
	if avx2 {
		entries = &entryKernels{listWholeAVX2, countEntriesAVX2, kernels[float64]{backward: backwardEntriesAVX2, backwardDrawn: backwardDrawnEntriesAVX2, backwardFlows: backwardFlowsEntriesAVX2}, backwardFarEntriesAVX2}
		line = lineKernels{forwardLineAVX2, backwardLineAVX2, backwardLineKeptAVX2, lastLineAVX2, backwardLineDrawnAVX2, lastLineDrawnAVX2, backwardLineByEntryAVX2, backwardLineKeptByEntryAVX2, lastLineByEntryAVX2, listOutAVX2, listBackAVX2, keepRowsAVX2, keepEntriesAVX2, addLineAVX2, deadEndsLineAVX2}
	}
	if avx2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		wide := *entries
		wide.count, wide.back.backward, wide.backwardFar = countEntriesAVX512, backwardEntriesAVX512, backwardFarEntriesAVX512
		sets = append(sets, kernelSet{
			name: "avx512",
			line: line, entries: &wide, linesOut: &wide, wideEntries: true, sumFlows: sumFlowsAVX2,
			float64: map[int]kernels[float64]{
				8:  {forwardAVX512f64x8, backwardAVX512f64x8, backwardDrawnAVX512f64x8, backwardFlowsAVX2f64x8},
				16: {forwardAVX512f64x16, backwardAVX512f64x16, backwardDrawnAVX512f64x16, backwardFlowsAVX2f64x16},
				32: {forwardAVX512f64x32, backwardAVX512f64x32, backwardDrawnAVX512f64x32, backwardFlowsAVX2f64x32},
				64: {forwardAVX512f64x64, backwardAVX512f64x64, backwardDrawnAVX512f64x64, backwardFlowsAVX2f64x64},
			},
			float32: map[int]kernels[float32]{
				16: {forwardAVX512f32x16, backwardAVX512f32x16, goKernels[float32](16).backwardDrawn, nil},
				32: {forwardAVX512f32x32, backwardAVX512f32x32, goKernels[float32](32).backwardDrawn, nil},
				64: {forwardAVX512f32x64, backwardAVX512f32x64, goKernels[float32](64).backwardDrawn, nil},
			},
		})
	}
	if avx2 {
		sets = append(sets, kernelSet{
			name: "avx2",
			line: line, entries: entries, linesOut: entries, sumFlows: sumFlowsAVX2,
			float64: map[int]kernels[float64]{
				8:  {forwardAVX2f64x8, backwardAVX2f64x8, backwardDrawnAVX2f64x8, backwardFlowsAVX2f64x8},
				16: {forwardAVX2f64x16, backwardAVX2f64x16, backwardDrawnAVX2f64x16, backwardFlowsAVX2f64x16},
				32: {forwardAVX2f64x32, backwardAVX2f64x32, backwardDrawnAVX2f64x32, backwardFlowsAVX2f64x32},
				64: {forwardAVX2f64x64, backwardAVX2f64x64, backwardDrawnAVX2f64x64, backwardFlowsAVX2f64x64},
			},
			float32: map[int]kernels[float32]{
				16: {forwardAVX2f32x16, backwardAVX2f32x16, goKernels[float32](16).backwardDrawn, nil},
				32: {forwardAVX2f32x32, backwardAVX2f32x32, goKernels[float32](32).backwardDrawn, nil},
				64: {forwardAVX2f32x64, backwardAVX2f32x64, goKernels[float32](64).backwardDrawn, nil},
			},
		})
	}
	return append(sets, portable())
}
