//go:build !purego

package lengths

import "golang.org/x/sys/cpu"

//go:generate env GOFLAGS=-tags=purego go run -C ../asm ./lengths -out ../lengths/kernels_amd64.s -stubs ../lengths/kernels_stubs_amd64.go -pkg lengths

// shifts has for kernels, by lane, the shift from its mask bit to the sign bit. It is made once, and then read only.
var shifts = signShifts()

func signShifts() (by [lanes]uint64) {
	for lane := range by {
		by[lane] = uint64(63 - lane)
	}
	return by
}

// kernelSets returns the sets of this processor, the fastest first.
func kernelSets() []kernels {
	var sets []kernels
	if cpu.X86.HasAVX2 {
		sets = append(sets, kernels{"avx2", relaxShortAVX2, relaxNarrowAVX2, relaxWideAVX2, linkNarrowAVX2, linkWideAVX2, countAVX2, dependAVX2, sendAVX2, enterAVX2})
	}
	return append(sets, portable())
}
