package arrowio

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/sources"
	"bcstage/arrowio/tables"
)

// A reader decodes one format: it reads the input to the end or to the first error,
// and sends every batch to out, in order. If out.Vertices is set, in is a vertex
// table: the reader finds its column with VertexColumn and sends batches that hold
// Vertices alone. Errors are made by faults.Rejected and faults.Corrupt and omit the
// input's name. A reader leaves no goroutine behind, and ends soon after ctx does.
type reader func(ctx context.Context, in *sources.Input, out *edgetable.Funnel) error

// Read reads every input in order and sends its edges in batches, those of the
// vertex table first. It always closes edges before it returns. The receiver
// releases every batch, even after an error. Read returns ctx.Err() if ctx ends
// first.
func Read(ctx context.Context, opts tables.Options, edges chan<- tables.Batch) (tables.Summary, error) {
	defer close(edges)
	o, err := checked(opts)
	if err != nil {
		return tables.Summary{}, fmt.Errorf("arrowio: %w", err)
	}
	from := bytesOf(&o)
	var vertices sources.Inputs
	if o.Vertices != "" {
		if vertices, err = from.Expand(ctx, []string{o.Vertices}); err != nil {
			return tables.Summary{}, fmt.Errorf("arrowio: %w", err)
		}
	}
	edgeFiles, err := from.Expand(ctx, o.Paths)
	if err != nil {
		return tables.Summary{}, fmt.Errorf("arrowio: %w", err)
	}
	out := edgetable.NewFunnel(edges, reading(&o), slices.Concat(vertices.Files, edgeFiles.Files))
	for _, table := range vertices.Files {
		if _, err := readInput(ctx, from, table, vertices.Beside[table], out, true); err != nil {
			return out.Finish(), err
		}
	}
	for _, document := range slices.Concat(vertices.Skipped, edgeFiles.Skipped) {
		out.Notes.Add(document + ": skipped, as its name is not that of a table")
	}
	empty := true
	for _, path := range edgeFiles.Files {
		nothing, err := readInput(ctx, from, path, edgeFiles.Beside[path], out, false)
		if err != nil {
			return out.Finish(), err
		}
		out.Summary.Files++
		empty = empty && nothing
	}
	if empty {
		return out.Finish(), fmt.Errorf("arrowio: %w", faults.Advise(faults.Rejected("input is empty: %s", strings.Join(o.Paths, " ")), "an empty text needs an ending such as .csv, or Options.Format"))
	}
	return out.Finish(), nil
}

// readInput reads one file, or standard input for "-". empty is set if it has no
// byte, but should have some.
func readInput(ctx context.Context, from *sources.Options, path, neighbour string, out *edgetable.Funnel, vertices bool) (empty bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	in, err := sources.Open(ctx, path, from)
	if err == nil {
		defer in.Close()
		out.Input, out.Path, out.Vertices = in.Name, path, vertices
		var read reader
		if read, empty, err = sniff(in, out, neighbour); err == nil {
			err = read(ctx, in, out)
		}
		if err == nil {
			err = out.Lacks()
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	switch {
	case err == nil:
		return empty, nil
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	return false, fmt.Errorf("arrowio: %w", err)
}

// FromRecords is Read for Go callers with Arrow records: it sends the edges of all
// records, which share one schema, and releases each record. It uses these fields of
// opts: Src, Dst, By, Bipartite, Directed, OneWay, EdgeKeep, Nulls, IDs, Weight and
// IgnoreWeight. Ids may have the same types as in files.
//
// It returns when in is closed, at the first error, or when ctx ends, and closes
// edges before. The error is the context's if ctx has ended when in is closed.
// Records sent after an error remain with the sender, who releases them and so also
// waits for ctx to end.
func FromRecords(ctx context.Context, in <-chan Record, opts tables.Options, edges chan<- tables.Batch) (tables.Summary, error) {
	defer close(edges)
	o, err := checked(opts)
	if err != nil {
		return tables.Summary{}, fmt.Errorf("arrowio: %w", err)
	}
	out := edgetable.NewFunnel(edges, reading(&o), nil)
	out.Input = "records"
	err = columnar.FromRecords(ctx, in, out)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = ctx.Err()
	default:
		err = fmt.Errorf("arrowio: %w", err)
	}
	return out.Finish(), err
}
