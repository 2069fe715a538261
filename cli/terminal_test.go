package cli_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/creack/pty"
)

// terminal SCREEN command args...: runs a command at its own terminal, from which it reads and to
// which it writes, and saves the output in a file. It ends when all output has been read.
// testscript's own ttyout may lose the last of it, since it closes the terminal when the command
// ends.
func terminal() int {
	code, err := atTerminal(os.Args[1], os.Args[2], os.Args[3:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "terminal:", err)
		return 125
	}
	return code
}

func atTerminal(screen, name string, args ...string) (code int, err error) {
	file, err := os.Create(screen)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	command := exec.Command(name, args...)
	from, err := pty.Start(command)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	// Ends with an error when the last program with the terminal open closes it, as on Linux, or at
	// the end of a file.
	io.Copy(file, from)
	var exit *exec.ExitError
	if err := command.Wait(); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	} else if err != nil {
		return 0, err
	}
	return 0, file.Close()
}
