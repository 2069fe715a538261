package arrowio

import (
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/internal/parquetfile"
	"bcstage/arrowio/tables"
)

// Files lists the files that the paths of opts name, in reading order, as Read
// finds them. "-" stays as it is.
func Files(ctx context.Context, opts tables.Options) ([]string, error) {
	found, err := bytesOf(&opts).Expand(ctx, opts.Paths)
	if err != nil {
		return nil, fmt.Errorf("arrowio: %w", err)
	}
	return found.Files, nil
}

// Overwrites finds an output that is a file of opts.Paths, or is read with it, by whatever name, or would be one
// once it is written: it lies in a folder that is read, or matches a pattern. nil: there is
// none. Standard streams, pipes and devices are none, and neither is what cannot be looked
// at: reading or writing it will tell. No file is opened, and nothing is asked of
// Options.FileSystems, where a name is all there is to a file.
func Overwrites(ctx context.Context, opts tables.Options, outputs ...string) (*Overlap, error) {
	inputs := opts.Paths
	for _, path := range opts.Paths {
		inputs = append(slices.Clip(inputs), parquetfile.Beside(path)...)
	}
	return bytesOf(&opts).Overwrites(ctx, inputs, outputs)
}
