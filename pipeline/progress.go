package pipeline

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"bcstage/pipeline/internal/sharing"
)

// advance is the progress of a run, and its listener.
type advance struct {
	began   time.Time
	reports Reports
	stats   *Stats        // its work is known when computing begins
	written chan struct{} // closed when the sink has returned

	edgesRead  atomic.Int64
	reporting  sync.Mutex // held while stage is written or Reports.Progress runs
	stage      string
	sharing    atomic.Pointer[sharing.Sharing]
	computing  atomic.Int64                     // nanoseconds from began to the start of the compute stage
	rows       [2]atomic.Int64                  // of WhatIf: done, of how many
	planned    atomic.Value                     // the expected time of each way to estimate: a string
	estimating atomic.Pointer[EstimateProgress] // as of the last stage
}

// report calls opts.Progress until the sink has returned.
func (a *advance) report(ctx context.Context) error {
	if a.reports.Progress == nil {
		return nil
	}
	ticker := time.NewTicker(a.reports.ProgressInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			a.tell(false)
		case <-a.written:
			a.tell(true)
			return nil
		case <-ctx.Done():
			return nil // the stage that failed returns the error
		}
	}
}

// tell reports the state of the run, or that its stage has ended.
func (a *advance) tell(ended bool) {
	a.reporting.Lock()
	defer a.reporting.Unlock()
	a.reports.Progress(a.progress(ended))
}

// enter begins a stage. It reports the end of the previous stage, however short that was.
func (a *advance) enter(stage string) {
	a.reporting.Lock()
	defer a.reporting.Unlock()
	if a.reports.Progress != nil {
		a.reports.Progress(a.progress(true))
	}
	a.stage = stage
}

// progress is the state of the run. The caller holds reporting.
func (a *advance) progress(ended bool) Progress {
	p := Progress{
		Stage:   a.stage,
		Ended:   ended,
		Edges:   a.edgesRead.Load(),
		Elapsed: time.Since(a.began),

		Estimate: a.estimating.Load(),
		Plan:     a.planned.Load().(string),
	}
	if sharing := a.sharing.Load(); sharing != nil {
		now := sharing.Progress()
		p.Done, p.Total, p.Share, p.Engines = now.Done, now.Total, now.Share, now.Engines
		lasted := p.Elapsed - time.Duration(a.computing.Load())
		if p.Total > 0 && p.Share > 0 && lasted > 0 {
			p.Left = lasting(lasted, (1-p.Share)/p.Share)
			p.GTEPS = p.Share * sharing.Part() * a.stats.work() / lasted.Seconds() / 1e9
		}
	}
	if total := a.rows[1].Load(); total > 0 {
		done := a.rows[0].Load()
		p.Done, p.Total, p.Share = int(done), int(total), float64(done)/float64(total)
		if done > 0 {
			p.Left = lasting(p.Elapsed-time.Duration(a.computing.Load()), (1-p.Share)/p.Share)
		}
	}
	return p
}
