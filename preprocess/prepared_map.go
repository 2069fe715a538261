//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package preprocess

import (
	"errors"
	"os"
	"syscall"
)

// mapFile maps a file for reading. It returns errors.ErrUnsupported if the file
// system does not support that.
func mapFile(file *os.File, size int) (data []byte, unmap func() error, err error) {
	data, err = syscall.Mmap(int(file.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if errors.Is(err, syscall.ENODEV) {
		err = errors.ErrUnsupported
	}
	return data, func() error { return syscall.Munmap(data) }, err
}
