package arrowio

import (
	"cmp"
	"context"
	"fmt"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
)

// ReadIDs reads a list of ids, as text: integers in decimal, others as
// IDType.Format writes them, and calls take with some at a time, in order. They are
// valid until take returns; an error of take ends the reading. The list is the one path
// of opts, which a vertex table's rules are for (see Options.Vertices), but that its ids
// are the first column, whatever that is called. Of opts it heeds what is about files,
// nulls and Header. An empty file is an empty list.
//
// Errors: those of Read, and take's.
func ReadIDs(ctx context.Context, opts Options, take func(Keys) error) error {
	list := opts
	list.Src, list.Dst, list.By, list.Bipartite, list.Vertices, list.Keep = "", "", nil, false, "", nil
	list.IDs, list.Format = IDsString, FormatAuto // no id is changed: 007 is not 7
	o, err := checked(list)
	if err == nil && len(o.Paths) != 1 {
		err = faults.Usage("a list of ids is one file, not %d", len(o.Paths))
	}
	if err != nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	if err := bytesOf(&o).InNoTable(ctx, o.Paths[0]); err != nil {
		return fmt.Errorf("arrowio: %w", err)
	}
	read := reading(&o)
	read.List = true
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	batches := make(chan Batch)
	failed := make(chan error, 1)
	go func() {
		defer close(batches)
		_, err := readInput(ctx, bytesOf(&o), o.Paths[0], "", edgetable.NewFunnel(batches, read, o.Paths), true)
		failed <- err
	}()
	var refused error
	for batch := range batches {
		if refused == nil {
			if refused = take(batch.Vertices); refused != nil {
				stop()
			}
		}
		batch.Release()
	}
	return cmp.Or(refused, <-failed)
}
