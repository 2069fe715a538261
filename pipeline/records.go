package pipeline

import (
	"context"

	"bcstage/arrowio"
)

// Records is Run as a stage between two channels of Arrow records. It reads
// edge records from in until in is closed, releasing each, and sends records
// of two columns, "vertex" of the ids' type and "betweenness_centrality"
// float64; the receiver releases them. It closes out when it returns, and
// out carries every vertex or, on an error, nothing that may be used.
// opts.Files chooses columns and the null policy; Source is unused.
func Records(ctx context.Context, in <-chan arrowio.Record, out chan<- arrowio.Record, opts Options) (*Stats, error) {
	sending := false // from then on ToRecords closes out
	defer func() {
		if !sending {
			close(out)
		}
	}()
	files := opts.Files
	files.Weight, files.Directed = opts.Question.Lengths.Column, opts.Question.Directed
	opts.Source = func(ctx context.Context, edges chan<- arrowio.Batch) (arrowio.Summary, error) {
		return arrowio.FromRecords(ctx, in, files, edges)
	}
	opts.Outline = fitting(opts.Outline)
	return Run(ctx, opts, func(ctx context.Context, table arrowio.Table) error {
		sending = true
		return arrowio.ToRecords(ctx, table, out)
	})
}
