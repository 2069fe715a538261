// Package stage runs pipeline as a stage between channels of Arrow records, or between Arrow's
// bytes. Package pipeline knows no format, so that programs without Arrow can use it.
package stage

import (
	"context"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// Records is pipeline.Run as a stage between two channels of Arrow records. It reads edge records
// from in until in is closed, and releases each. It sends records of two columns, "vertex" of the
// ids' type and "betweenness_centrality" float64; the receiver releases them. It closes out when it
// returns. On an error, out carries nothing that may be used, otherwise every vertex. opts.Files
// selects columns and the null policy; Source and Read are unused.
//
// After an error, or when ctx ends, Records no longer reads in. So a producer must watch the same
// context, and its owner must cancel that when either side fails, as errgroup.WithContext does.
func Records(ctx context.Context, in <-chan arrowio.Record, out chan<- arrowio.Record, opts pipeline.Options) (*pipeline.Stats, error) {
	sending := false // once true, ToRecords closes out
	defer func() {
		if !sending {
			close(out)
		}
	}()
	files := opts.Files
	files.Weight, files.Directed = opts.Question.Lengths.Column, opts.Question.Directed
	opts.Source = func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		return arrowio.FromRecords(ctx, in, files, edges)
	}
	opts.Outline = fitting(opts.Outline)
	return pipeline.Run(ctx, opts, func(ctx context.Context, table tables.Table) error {
		sending = true
		return arrowio.ToRecords(ctx, table, out)
	})
}

// fitting returns an Outline for a sink of records, which calls the caller's next.
func fitting(then pipeline.Sink) pipeline.Sink {
	return func(ctx context.Context, table tables.Table) error {
		if table.Pairs == nil { // edges have another sink
			if _, err := arrowio.Fits(ctx, tables.FormatArrow, table); err != nil {
				return err
			}
		}
		if then == nil {
			return nil
		}
		return then(ctx, table)
	}
}
