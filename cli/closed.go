package cli

import (
	"errors"
	"io"
)

// closedStdout replaces a closed standard output: a result that is written there is lost, which is
// a failure.
type closedStdout struct{}

var errStdoutClosed = errors.New("standard output is closed, or /dev/null open for reading, too, which looks the same")

func (c closedStdout) Write([]byte) (int, error) { return 0, c.fail() }

func (closedStdout) fail() error {
	return &advised{errStdoutClosed, "a file or a pipe takes what is written there; > /dev/null drops it, and in Python open(os.devnull, \"w\") does, but not subprocess.DEVNULL"}
}

// open returns a standard output, or closedStdout in its place.
func open(stdout io.Writer) io.Writer {
	if isClosed(stdout) {
		return closedStdout{}
	}
	return stdout
}
