package pipeline

import (
	"context"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/internal/parallel"
)

// write turns sums into scores, or a partial, and passes them to the sink.
func (r *run) write(ctx context.Context, results <-chan finished, sink Sink) error {
	defer close(r.written)
	p, err := parallel.Receive(ctx, results)
	if err != nil {
		return err
	}
	if err := r.devices.demanded(ctx); err != nil {
		return err
	}
	r.enter("write")
	began := time.Now()
	var table tables.Table
	switch {
	case r.opts.partial():
		table = p.Table(Version())
	case r.plan.update != nil:
		table = r.plan.update.table(p.Partial, p.estimate, r.opts.Sort)
	default:
		table = scoreTable(p.Partial, p.estimate, r.opts.Sort)
	}
	if !r.opts.partial() {
		table.Kept, table.Geo = r.in.kept.output(r.opts.keep), r.in.kept.geo
	}
	table.Threads = r.opts.Threads
	r.stats.Seconds.Restore = time.Since(began).Seconds()
	return timed(&r.stats.Seconds.Write, time.Now(), func() error {
		if r.opts.Edges != nil && !r.opts.partial() {
			edges := edgeTable(p.Partial, p.estimate)
			if r.opts.byRow() {
				r.in.rows.table(&edges, r.opts.Question.KeepsRepeats())
			}
			edges.Threads = r.opts.Threads
			Arrange(&edges, r.opts.Sort)
			if err := r.opts.Edges(ctx, edges); err != nil {
				return err
			}
		}
		return sink(ctx, table)
	})
}
