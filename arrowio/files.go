package arrowio

import (
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/tables"
)

// Files lists the files that the paths of opts name, in reading order, as Read finds them.
// "-" stays "-".
func Files(ctx context.Context, opts tables.Options) ([]string, error) {
	found, err := bytesOf(&opts).Expand(ctx, opts.Paths)
	if err != nil {
		return nil, fmt.Errorf("arrowio: %w", err)
	}
	return found.Files, nil
}

// Overwrites finds an output that Read would read: it is a file of opts.Paths, or read with
// one, under any name; or once written it would lie in a folder that is read, or match a
// pattern. nil: there is none. Standard streams, pipes and devices never overlap, nor do
// outputs that cannot be examined: reading or writing them will tell. It opens no file, and
// asks nothing of Options.FileSystems, where files are compared by name alone.
func Overwrites(ctx context.Context, opts tables.Options, outputs ...string) (*Overlap, error) {
	inputs := opts.Paths
	for _, path := range opts.Paths {
		inputs = append(slices.Clip(inputs), parquetfile.Beside(path)...)
	}
	return bytesOf(&opts).Overwrites(ctx, inputs, outputs)
}
