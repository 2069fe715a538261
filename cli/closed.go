package cli

import (
	"errors"
	"io"
)

// closedStdout is in the place of a standard output that is closed: a result that is
// written to it is lost, which is a failure.
type closedStdout struct{}

var errStdoutClosed = errors.New("standard output is closed, or /dev/null open for reading, too, which looks the same")

func (c closedStdout) Write([]byte) (int, error) { return 0, c.fail() }

func (closedStdout) fail() error {
	return &advised{errStdoutClosed, "a file or a pipe takes what is written there; > /dev/null drops it, and in Python open(os.devnull, \"w\") does, but not subprocess.DEVNULL"}
}

// open is a standard output, or what fails in its place.
func open(stdout io.Writer) io.Writer {
	if isClosed(stdout) {
		return closedStdout{}
	}
	return stdout
}
