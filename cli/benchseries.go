package cli

import (
	"context"
	"runtime/debug"

	urfave "github.com/urfave/cli/v2"

	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// series holds the runs of one graph under one configuration.
type series struct {
	opts                  pipeline.Options
	of                    measurement
	gteps, compute, total []float64
	failed                error // why it cannot run
}

// runOnce adds a run.
func (p *process) runOnce(c *urfave.Context, s *series) error {
	debug.FreeOSMemory() // so that the run before does not count in this one's time and memory limit
	opts := s.opts
	progress := p.progress(c, &opts)
	stats, err := pipeline.Run(c.Context, opts, func(context.Context, tables.Table) error { return nil })
	progress.end()
	if err != nil {
		s.of.Failed = describe(err)
		return err
	}
	s.gteps = append(s.gteps, stats.GTEPS)
	s.compute = append(s.compute, stats.Seconds.Compute)
	s.total = append(s.total, stats.Seconds.Total)
	row := &s.of
	row.Runs++
	row.Threads, row.Vertices, row.Edges = stats.Threads, stats.Vertices, stats.Edges
	row.Engines, row.Walks, row.Choices, row.Verification = stats.Engines, stats.Choices, stats.DeviceChoices, stats.Verification
	nameFlags(stats)
	row.Notes, row.Warnings = stats.Notes, stats.Warnings
	row.LargestRelative = max(row.LargestRelative, stats.SelfCheck.LargestRelative)
	return nil
}

// row sums up the runs, or says why the configuration cannot run.
func (s *series) row() measurement {
	if s.failed == nil {
		s.of.GTEPS, s.of.Compute, s.of.Total = spreadOf(s.gteps), spreadOf(s.compute), spreadOf(s.total)
	}
	return s.of
}

// otherSet reports whether the largest block was searched with another set of kernels than asked for.
func (s *series) otherSet() bool {
	return s.of.Set != "" && len(s.of.Walks) > 0 && s.of.Walks[0].Set != s.of.Set
}
