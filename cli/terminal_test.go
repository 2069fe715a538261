package cli_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/creack/pty"
)

// terminal SCREEN command args...: runs a command at a terminal of its own, from which it
// reads and to which it writes, and keeps in a file what came to stand there. It ends
// when all is read that was written: testscript's own ttyout may lose the last of it,
// since it takes the terminal away as soon as the command has ended.
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
	// Ends with an error when the last program that has the terminal open closes it, as
	// Linux does it, or with the end of a file.
	io.Copy(file, from)
	var exit *exec.ExitError
	if err := command.Wait(); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	} else if err != nil {
		return 0, err
	}
	return 0, file.Close()
}
