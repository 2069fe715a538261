package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"bcstage/internal/building"
	"bcstage/internal/measures"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Prepare reads and reduces as Run does, and passes the prepared graph to write, which must not
// keep it; Prepared.Write makes a file of it. As the only path of Options.Files, that file replaces
// the edges in Run, Inspect and Degrees, which then neither read nor reduce. Scores are the same to
// the last bit. Options about engines are unused.
func Prepare(ctx context.Context, opts Options, write func(context.Context, *preprocess.Prepared) error) (*Stats, error) {
	opts.Engine, opts.Partial = EngineCPU, true // there are no scores yet
	opts, err := opts.complete()
	if err != nil {
		return nil, err
	}
	if err := preparable(opts.Question); err != nil {
		return nil, err
	}
	if opts.Since != nil {
		return nil, fmt.Errorf("%w: Options.Since: a prepared graph has no scores yet", ErrOptions)
	}
	r := newRun(opts)
	r.preparing = true
	plans := make(chan namedPlan, 1)
	group, ctx := errgroup.WithContext(ctx)
	r.start(ctx, group, plans)
	group.Go(func() error {
		defer close(r.written)
		p, err := receive(ctx, plans)
		if err != nil {
			return err
		}
		r.enter("write")
		return timed(&r.stats.Seconds.Write, time.Now(), func() error {
			prepared, err := r.prepared(p)
			if err != nil {
				return err
			}
			return write(ctx, prepared)
		})
	})
	group.Go(func() error { return r.report(ctx) })
	return r.end(group.Wait())
}

// preparable refuses parts of a question that prepared graphs cannot answer.
func preparable(q question.Question) error {
	if q.Gravity.Constrained != "" {
		return fmt.Errorf("%w: Options.Question.Gravity.Constrained: a prepared graph has no masses to spread", ErrOptions)
	}
	if q.HasTrips() {
		return fmt.Errorf("%w: Options.Trips: a prepared graph has no trips", ErrOptions)
	}
	if q.HasMasses() {
		return fmt.Errorf("%w: Options.Question.Origins, Options.Question.Destinations: a prepared graph has no masses", ErrOptions)
	}
	if q.KeepsRepeats() {
		return fmt.Errorf("%w: Options.Question.Lengths.Repeats %q: a prepared graph has each edge once", ErrOptions, q.Lengths.Repeats)
	}
	if q.Decay.Share != "" {
		return fmt.Errorf("%w: Options.Question.Decay: a prepared graph does not count pairs by distance", ErrOptions)
	}
	if q.Searches(measures.Reached) {
		return fmt.Errorf("%w: Options.Question.Measures %s: a prepared graph has no masses to reach", ErrOptions, strings.Join(q.Measures, ","))
	}
	if len(q.Cutoffs()) > 1 {
		return fmt.Errorf("%w: Options.Question.Cutoff %q: a prepared graph has one cutoff", ErrOptions, q.Cutoff)
	}
	if q.Edges {
		return fmt.Errorf("%w: scores of edges: a prepared graph lacks the edges as read", ErrOptions)
	}
	return nil
}

func (r *run) prepared(p namedPlan) (*preprocess.Prepared, error) {
	text, err := json.Marshal(about{
		Version:      Version(),
		IDs:          p.Type,
		By:           p.names.columns(),
		Bipartite:    p.Side != nil,
		Lanes:        r.lanes,
		Files:        r.stats.Files,
		EdgesRead:    r.stats.EdgesRead,
		Duplicates:   r.stats.Duplicates,
		SelfLoops:    r.stats.SelfLoops,
		NullsDropped: r.stats.NullsDropped,
		Unused:       r.stats.Unused,
		Src:          p.Ends[0],
		Dst:          p.Ends[1],
		Lengths:      r.stats.Lengths,
		Notes:        r.stats.Notes,
		Warnings:     r.stats.Warnings,
	})
	return &preprocess.Prepared{Plan: p.Plan, IDs: building.Keys(p.IDs), Scopes: p.scopes(), Degrees: p.degrees, Upward: p.upward, About: text}, err
}
