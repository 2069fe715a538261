package pipeline

import (
	"context"
	"io"

	"bcstage/arrowio"
)

// Stream is Records between bytes: edges come in as an Arrow IPC stream or file,
// or any other format that opts.Files names, and scores go out as an Arrow IPC
// stream. The bytes are those of every Arrow library, so a program that is built
// with another major version of Arrow's, or none, is served as well. On an error
// out has nothing that may be used. Neither end is closed; what a read of in that
// blocks comes to when ctx ends is told by arrowio.Options.Stdin.
func Stream(ctx context.Context, in io.Reader, out io.Writer, opts Options) (*Stats, error) {
	opts.Files.Paths, opts.Files.Stdin = []string{"-"}, in
	opts.Outline = fitting(opts.Outline)
	return Run(ctx, opts, func(ctx context.Context, table arrowio.Table) error {
		return arrowio.Write(ctx, out, arrowio.FormatArrow, table)
	})
}
