package pipeline

import (
	"encoding/hex"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"bcstage/preprocess"
)

// describe fills in what the reductions found.
func (s *Stats) describe(plan *preprocess.Plan) {
	s.Vertices = plan.Vertices
	s.Edges = plan.Edges
	s.Reductions = plan.Reductions
	s.Components = plan.Components
	s.Folded = plan.Folded
	s.Blocks = plan.BlockCount
	s.LargestBlock = plan.LargestBlock
	s.Batches = len(plan.Batches)
	s.Fingerprint = hex.EncodeToString(plan.Fingerprint[:])
}

// describe fills in what computing cost.
func (c *computation) describe(stats *Stats) {
	figures := c.sharing.Figures()
	stats.SelfCheck = c.ledger.Check()
	for _, device := range c.devices {
		stats.DeviceChoices = append(stats.DeviceChoices, device.Choices()...)
	}
	stats.FrontierEntriesPerVertexBatch = figures.FrontierEntriesPerVertexBatch
	stats.RowLoadsPerEdgeBatch = figures.RowLoadsPerEdgeBatch
	stats.Timeline = figures.Timeline
	stats.Engines = figures.Engines
	for _, e := range figures.Engines {
		if e.Failed != "" {
			stats.Warnings = append(stats.Warnings, e.Name+" failed, other engines finished its work: "+e.Failed)
		}
	}
}

// finish completes the statistics of a run that succeeded.
func (r *run) finish() *Stats {
	s := &r.stats
	s.Threads = r.opts.Threads
	s.Precision = r.opts.Precision
	s.Seconds.Total = time.Since(r.began).Seconds()
	s.PeakMemory = peakMemory()
	if s.Seconds.Compute > 0 {
		s.GTEPS = r.share * s.work() / s.Seconds.Compute / 1e9
	}
	return s
}

// Version of this module as the build recorded it, "(devel)" when it did not.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(devel)"
	}
	path := strings.TrimSuffix(reflect.TypeFor[Stats]().PkgPath(), "/pipeline") // wherever the module is published
	if info.Main.Path == path {
		return info.Main.Version
	}
	for _, dependency := range info.Deps {
		if dependency.Path == path {
			return dependency.Version
		}
	}
	return "(devel)"
}

// work is n·m, summed over the graphs if there are several.
func (s *Stats) work() float64 {
	if s.Graphs != nil {
		return s.Graphs.Work
	}
	return float64(s.Vertices) * float64(s.Edges)
}
