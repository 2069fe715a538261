package stage

import (
	"context"
	"io"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// Stream is Records between bytes. Edges are read as an Arrow IPC stream or file, or in any other
// format that opts.Files names; scores are written as an Arrow IPC stream. Every Arrow library has
// this format, so it also serves programs with another major version of Arrow, or none. On an error
// out has nothing that may be used. Neither end is closed. If a read of in blocks when ctx ends,
// see Input.Files.Stdin.
func Stream(ctx context.Context, in io.Reader, out io.Writer, opts pipeline.Options) (*pipeline.Stats, error) {
	opts.Files.Paths, opts.Files.Stdin = []string{"-"}, in
	opts.Source, opts.Read = nil, arrowio.Read
	opts.Outline = fitting(opts.Outline)
	return pipeline.Run(ctx, opts, func(ctx context.Context, table tables.Table) error {
		return arrowio.Write(ctx, out, tables.FormatArrow, table)
	})
}
