//go:build unix

package sources

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// pollMillis is how soon a read from a silent pipe notices its context's end.
const pollMillis = 50

// pollingRead reads a file that has no deadlines (standard input, when it is a
// pipe or terminal): it waits until there is something to read.
func pollingRead(ctx context.Context, file *os.File) func(p []byte) (int, error) {
	return func(p []byte) (int, error) {
		raw, err := file.SyscallConn()
		if err != nil {
			return 0, err
		}
		for ready := false; !ready; {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			var pollErr error
			err := raw.Control(func(fd uintptr) {
				var n int
				n, pollErr = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, pollMillis)
				ready = n > 0
			})
			if err != nil {
				return 0, err
			}
			if pollErr != nil && !errors.Is(pollErr, unix.EINTR) {
				return 0, pollErr
			}
		}
		return file.Read(p)
	}
}
