package pipeline

import (
	"context"
	"time"
)

// report calls opts.Progress until the sink has returned.
func (r *run) report(ctx context.Context) error {
	if r.opts.Progress == nil {
		return nil
	}
	ticker := time.NewTicker(r.opts.ProgressInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			r.tell(false)
		case <-r.written:
			r.tell(true)
			return nil
		case <-ctx.Done():
			return nil // the stage that failed says why
		}
	}
}

// tell reports where the run is, or that its stage has ended.
func (r *run) tell(ended bool) {
	r.reporting.Lock()
	defer r.reporting.Unlock()
	r.opts.Progress(r.progress(ended))
}

// enter begins a stage. However short the one before was, its end is reported.
func (r *run) enter(stage string) {
	r.reporting.Lock()
	defer r.reporting.Unlock()
	if r.opts.Progress != nil {
		r.opts.Progress(r.progress(true))
	}
	r.stage = stage
}

// progress is where the run is. The caller holds r.reporting.
func (r *run) progress(ended bool) Progress {
	p := Progress{
		Stage:   r.stage,
		Ended:   ended,
		Edges:   r.edgesRead.Load(),
		Elapsed: time.Since(r.began),
	}
	if schedule := r.schedule.Load(); schedule != nil {
		schedule.progress(&p, p.Elapsed-time.Duration(r.computing.Load()))
		if g := r.stats.Graphs; g != nil && p.GTEPS > 0 {
			p.GTEPS *= g.Work / (float64(r.stats.Vertices) * float64(r.stats.Edges))
		}
	}
	return p
}

// progress fills in what the schedule knows, computing having lasted so long.
func (s *schedule) progress(p *Progress, lasted time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.Done, p.Total = s.done, len(s.todo)
	if s.totalCost == 0 {
		p.Share = 1
		return
	}
	p.Share = s.doneCost / s.totalCost
	if p.Share > 0 && lasted > 0 {
		p.Left = time.Duration(float64(lasted) * (1 - p.Share) / p.Share)
		p.GTEPS = p.Share * s.share * float64(s.plan.Vertices) * float64(s.plan.Edges) / lasted.Seconds() / 1e9
	}
	for _, c := range s.clients {
		p.Engines = append(p.Engines, EngineStat{Name: c.name, Batches: c.batches, Share: c.cost / s.totalCost, Failed: c.failed})
	}
}
