package stage

import (
	"context"
	"io"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// Stream is Records between bytes: edges come in as an Arrow IPC stream or file,
// or any other format that opts.Files names, and scores go out as an Arrow IPC
// stream. The bytes are those of every Arrow library, so a program that is built
// with another major version of Arrow's, or none, is served as well. On an error
// out has nothing that may be used. Neither end is closed; what a read of in that
// blocks does when ctx ends, Input.Files.Stdin says.
func Stream(ctx context.Context, in io.Reader, out io.Writer, opts pipeline.Options) (*pipeline.Stats, error) {
	opts.Files.Paths, opts.Files.Stdin = []string{"-"}, in
	opts.Source, opts.Read = nil, arrowio.Read
	opts.Outline = fitting(opts.Outline)
	return pipeline.Run(ctx, opts, func(ctx context.Context, table tables.Table) error {
		return arrowio.Write(ctx, out, tables.FormatArrow, table)
	})
}
