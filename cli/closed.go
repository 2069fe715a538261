package cli

import (
	"errors"
	"io"
)

// closedStdout replaces a closed standard output: a result that is written there is lost, which is
// a failure.
type closedStdout struct{}

var errStdoutClosed = errors.New("standard output is closed, or is /dev/null opened for reading and writing, which looks the same")

func (c closedStdout) Write([]byte) (int, error) { return 0, c.fail() }

func (closedStdout) fail() error {
	return &advised{errStdoutClosed, "send it to a file or a pipe; to drop it, use > /dev/null, or in Python open(os.devnull, \"w\"), not subprocess.DEVNULL"}
}

// open returns a standard output, or closedStdout in its place.
func open(stdout io.Writer) io.Writer {
	if isClosed(stdout) {
		return closedStdout{}
	}
	return stdout
}
