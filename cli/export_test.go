package cli

import (
	"context"
	"io"
	"time"
)

// late is the time after which a test ends the waits of a process. The awaited event happens, but
// perhaps late on a busy machine.
const late = time.Hour

// MainPatient is Main with longer waits.
func MainPatient(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &process{stdin: stdin, stdout: open(stdout), console: newConsole(stderr), patience: late}
	return p.main(ctx, args)
}

// MainInjected is Main that announces every write, fsync, close and rename of a file to inject
// first; an error makes it fail. Its waits are longer, too.
func MainInjected(args []string, stdin io.Reader, stdout, stderr io.Writer, inject func(operation string) error) int {
	p := &process{stdin: stdin, stdout: open(stdout), console: newConsole(stderr), patience: late}
	p.files.inject = inject
	return p.main(context.Background(), args)
}

// NameOf is nameOf.
func NameOf(path string) string { return nameOf(path) }
