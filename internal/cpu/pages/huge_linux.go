package pages

import (
	"syscall"
	"unsafe"
)

// adviseHuge asks the system to put memory that nothing has been written to on
// large pages. Rows are visited in no order, so that of a large block each visit
// misses the cache of addresses: with large pages a share of the batches takes
// 0.83 times the processor time on soc-Epinions1, 0.88 on p2p-Gnutella31 and 0.97
// on ca-CondMat (whole processes, paired). Small blocks gain by fewer pages to be given: ca-GrQc
// takes 0.68 of the system's cycles, and 0.6 of the pages. The call is advice: where the system does not take it,
// only speed is lost.
func adviseHuge[T any](memory []T) {
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(memory))), uintptr(len(memory))*unsafe.Sizeof(*new(T)))
	at := uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))
	first, end := -at%hugePage, (at+uintptr(len(bytes)))/hugePage*hugePage
	if at+first < end {
		_ = syscall.Madvise(bytes[first:end-at], syscall.MADV_HUGEPAGE)
	}
}
