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

		Estimate: r.estimating.Load(),
		Plan:     r.planned.Load().(string),
	}
	if sharing := r.sharing.Load(); sharing != nil {
		now := sharing.Progress()
		p.Done, p.Total, p.Share, p.Engines = now.Done, now.Total, now.Share, now.Engines
		lasted := p.Elapsed - time.Duration(r.computing.Load())
		if p.Total > 0 && p.Share > 0 && lasted > 0 {
			p.Left = lasting(lasted, (1-p.Share)/p.Share)
			p.GTEPS = p.Share * sharing.Part() * r.stats.work() / lasted.Seconds() / 1e9
		}
	}
	return p
}
