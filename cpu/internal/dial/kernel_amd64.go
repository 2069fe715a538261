//go:build !purego

package dial

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C ../asm ./dial -out ../dial/kernel_amd64.s -stubs ../dial/kernel_stubs_amd64.go -pkg dial

// kernelOf returns the kernel of an instruction set, where the processor has it.
func kernelOf(set string) kernel {
	if set == "avx512" && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasBMI2 {
		return lookAVX512
	}
	return look
}
