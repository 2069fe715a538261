package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Degrees counts the neighbours of each row's vertex in the graph of opts.Input, or the arcs in and
// out if the table is of a directed graph. The edges have the columns that name graphs in the
// table. A vertex that the table lacks or repeats is tables.ErrInput.
func Degrees(ctx context.Context, table *tables.Table, opts Options) ([]int64, error) {
	of, ids := names{ledger.NamesIn(table)}, table.IDs
	if text := table.Metadata.Value("question"); text != "" {
		asked, err := question.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("pipeline: degrees: %w: %w", tables.ErrInput, err)
		}
		if asked.KeepsRepeats() {
			asked.Lengths.Repeats = "" // they have one neighbour
		}
		opts.Question = question.Question{Directed: asked.Directed, Lengths: asked.Lengths}
	}
	for _, column := range of.By {
		opts.Files.By = append(slices.Clip(opts.Files.By), column.Name)
	}
	opts.Files.Bipartite = of.Side != nil
	prepared := len(opts.Files.Paths) == 1 && preprocess.IsPrepared(opts.Files.Paths[0])
	if prepared && opts.Source == nil {
		opts.Files.By, opts.Files.Bipartite = nil, false // the file knows them
	}
	opts, err := opts.complete()
	if err != nil {
		return nil, err
	}
	builder := building.NewBuilder(opts.Threads)
	builder.Bipartite = of.Side != nil
	builder.Directed = opts.Question.Directed
	if err := builder.AddVertices(building.Keys(ids), of.Side, of.rows()...); err != nil {
		return nil, fmt.Errorf("pipeline: degrees: %w", err)
	}
	if opts.prepared != "" {
		return preparedDegrees(ctx, ids, opts, builder)
	}
	edges := make(chan tables.Batch, batchesInFlight)
	group, reading := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := opts.Source(reading, edges)
		return err
	})
	group.Go(func() (err error) {
		for batch := range edges {
			if err == nil {
				err = addBatch(builder, batch)
			}
			batch.Release()
		}
		return err
	})
	err = group.Wait()
	if errors.Is(err, building.ErrKeys) {
		return nil, fmt.Errorf("pipeline: degrees: %w: edges and scores are of different graphs: %w", tables.ErrInput, err)
	}
	if err != nil {
		return nil, err
	}
	in, err := builder.Build(ctx)
	if err != nil {
		return nil, fmt.Errorf("pipeline: degrees: %w", err)
	}
	if n := in.Graph.Vertices(); n != ids.Len() {
		return nil, otherGraph(n, ids)
	}
	degrees := make([]int64, ids.Len())
	for v := range degrees {
		degrees[v] = int64(degree(&in.Graph, v))
	}
	return degrees, nil
}

func otherGraph(n int, ids tables.Keys) error {
	return fmt.Errorf("pipeline: degrees: %w: edges and scores are of different graphs, %d vertices in all, %d with a score", tables.ErrInput, n, ids.Len())
}

// preparedDegrees finds the vertices of a prepared graph among ids, which the builder has numbered.
func preparedDegrees(ctx context.Context, ids tables.Keys, opts Options, builder *building.Builder) (degrees []int64, err error) {
	g, err := openPrepared(ctx, opts.prepared, opts.Question, opts.Threads)
	if err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	rows, err := builder.Number(g.IDs, g.Side, g.names.rows()...)
	if err != nil {
		return nil, fmt.Errorf("pipeline: degrees: %w: edges and scores are of different graphs: %w", tables.ErrInput, err)
	}
	degrees = make([]int64, ids.Len())
	for v, row := range rows {
		if int(row) >= len(degrees) {
			return nil, otherGraph(g.Vertices, ids)
		}
		degrees[row] = int64(g.Degrees[v])
	}
	if len(rows) != len(degrees) {
		return nil, otherGraph(g.Vertices, ids)
	}
	return degrees, nil
}
