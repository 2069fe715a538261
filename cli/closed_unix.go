//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// isClosed reports whether a standard stream was closed when the process began. Go's runtime then
// opens /dev/null in its place, for reading and writing, and all output would be lost; > /dev/null
// opens it for writing only.
func isClosed(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok || file != os.Stdout {
		return false
	}
	info, err := file.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	if err != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(file.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
