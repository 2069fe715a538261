package spill

import (
	"os"
	"syscall"
)

const possible = true

// mapped reserves a part at the end of the file, and maps it.
func mapped(file *os.File, at, bytes int64) ([]byte, error) {
	if err := syscall.Fallocate(int(file.Fd()), 0, at, bytes); err != nil {
		return nil, os.NewSyscallError("fallocate", err)
	}
	memory, err := syscall.Mmap(int(file.Fd()), at, int(bytes), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	return memory, os.NewSyscallError("mmap", err)
}

// idle takes a mapping out of memory; the system has what was written to it.
func idle(mapped []byte) { _ = syscall.Madvise(mapped, syscall.MADV_DONTNEED) }

// free unmaps a part and returns its blocks, where the file system can.
func free(file *os.File, p part) {
	const keepSize, punchHole = 1, 2
	_ = unmap(p.mapped)
	_ = syscall.Fallocate(int(file.Fd()), keepSize|punchHole, p.at, int64(len(p.mapped)))
}

func unmap(memory []byte) error { return os.NewSyscallError("munmap", syscall.Munmap(memory)) }
