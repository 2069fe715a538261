package cli

import (
	"context"
	"io"
	"time"
)

// late is when a test gives up what a process waits some seconds for. It comes, but where
// there is much to do perhaps after more than those.
const late = time.Hour

// MainPatient is Main that waits for longer.
func MainPatient(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &process{stdin: stdin, stdout: open(stdout), console: newConsole(stderr), patience: late}
	return p.main(ctx, args)
}

// MainInjected is Main with every write, fsync, close and rename of a file
// announced to inject before it happens; an error fails it. It waits for longer, too.
func MainInjected(args []string, stdin io.Reader, stdout, stderr io.Writer, inject func(operation string) error) int {
	p := &process{stdin: stdin, stdout: open(stdout), console: newConsole(stderr), patience: late}
	p.files.inject = inject
	return p.main(context.Background(), args)
}

// NameOf is nameOf.
func NameOf(path string) string { return nameOf(path) }
