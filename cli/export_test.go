package cli

import (
	"context"
	"io"
)

// MainInjected is Main with every write, fsync, close and rename of a file
// announced to inject before it happens; an error fails it.
func MainInjected(args []string, stdin io.Reader, stdout, stderr io.Writer, inject func(operation string) error) int {
	p := &process{stdin: stdin, stdout: stdout, console: newConsole(stderr)}
	p.files.inject = inject
	return p.main(context.Background(), args)
}
