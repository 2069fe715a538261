package pipeline

import (
	"context"
	"encoding/json"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/internal/building"
	"bcstage/internal/parallel"
	"bcstage/internal/refusals"
	"bcstage/preprocess"
)

// Prepare reads and reduces as Run does, and passes the prepared graph to write, which must not
// keep it; Prepared.Write makes a file of it. As the only path of Options.Files, that file replaces
// the edges in every call. Run and Inspect then neither read nor reduce; for another question about the
// same edges they reduce these again. Scores are the same to the last bit. Options about engines are unused.
func Prepare(ctx context.Context, opts Options, write func(context.Context, *preprocess.Prepared) error) (*Stats, error) {
	opts.calls = []string{refusals.Prepare}
	opts.Engine, opts.Partial = EngineCPU, true // there are no scores yet
	opts, err := opts.complete()
	if err != nil {
		return nil, err
	}
	r := newRun(opts)
	r.plan.preparing = true
	plans := make(chan namedPlan, 1)
	group, ctx := errgroup.WithContext(ctx)
	r.start(ctx, group, plans)
	group.Go(func() error {
		defer close(r.written)
		p, err := parallel.Receive(ctx, plans)
		if err != nil {
			return err
		}
		r.enter("write")
		return timed(&r.stats.Seconds.Write, time.Now(), func() error {
			prepared, err := r.plan.prepared(p)
			if err != nil {
				return err
			}
			return write(ctx, prepared)
		})
	})
	group.Go(func() error { return r.report(ctx) })
	return r.end(group.Wait())
}

func (p *planner) prepared(of namedPlan) (*preprocess.Prepared, error) {
	text, err := json.Marshal(about{
		Version:      Version(),
		IDs:          of.Type,
		By:           of.names.columns(),
		Bipartite:    of.Side != nil,
		Lanes:        p.in.lanes,
		Files:        p.stats.Files,
		EdgesRead:    p.stats.EdgesRead,
		Duplicates:   p.stats.Duplicates,
		SelfLoops:    p.stats.SelfLoops,
		NullsDropped: p.stats.NullsDropped,
		Unused:       p.stats.Unused,
		Src:          of.Ends[0],
		Dst:          of.Ends[1],
		OneWay:       p.in.twoWays,
		Lengths:      p.stats.Lengths,
		Notes:        p.stats.Notes,
		Warnings:     p.stats.Warnings,
	})
	return &preprocess.Prepared{Plan: of.Plan, IDs: building.Keys(of.IDs), Scopes: of.scopes(), Degrees: of.degrees, Upward: of.upward, About: text}, err
}
