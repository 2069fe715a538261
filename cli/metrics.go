package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"bcstage/pipeline"
)

// metricsPatience is the time that an interrupted command spends on writing its metrics to an object store.
const metricsPatience = 5 * time.Second

// meter writes the file of --metrics when a command ends, successfully or not, in the text format of
// Prometheus: for the textfile collector of node_exporter, or to push. stats is nil when the command failed;
// the file then has the exit code alone. A wrong command line writes no file. meter returns the command's
// own error, or else that of writing.
func (p *process) meter(c *urfave.Context, stats *pipeline.Stats, failed error) error {
	path := c.String("metrics")
	if path == "" {
		return failed
	}
	code := exitCode(c.Context, failed)
	ctx := c.Context
	if failed != nil {
		stats = nil
		patient, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(p.patience, metricsPatience))
		defer cancel()
		ctx = patient
	}
	// Like a checkpoint, metrics are not a result, which an interrupted command does not write.
	err := p.place(ctx, path, false, func(w io.Writer) error { return writeMetrics(p.secrets.writer(w), code, stats) })
	if failed != nil {
		return failed
	}
	return err
}

// writeMetrics writes gauges about one run. Times are in seconds, as is usual for Prometheus; names and
// labels do not change.
func writeMetrics(w io.Writer, code int, s *pipeline.Stats) error {
	var text strings.Builder
	gauge := func(name, help string) func(labels string, value float64) {
		fmt.Fprintf(&text, "# HELP bcstage_%s %s\n# TYPE bcstage_%s gauge\n", name, help, name)
		return func(labels string, value float64) { fmt.Fprintf(&text, "bcstage_%s%s %v\n", name, labels, value) }
	}
	gauge("exit_code", "Exit code of the last run, 0 for success.")("", float64(code))
	if s != nil {
		stage := gauge("stage_seconds", "Wall time of the last run by stage. Stages overlap.")
		t := s.Seconds
		for _, of := range []struct {
			name    string
			seconds float64
		}{{"read", t.Read}, {"build", t.Build}, {"reduce", t.Reduce}, {"device_wait", t.DeviceWait}, {"compute", t.Compute}, {"restore", t.Restore}, {"write", t.Write}} {
			stage(`{stage="`+of.name+`"}`, of.seconds)
		}
		gauge("duration_seconds", "Wall time of the last run.")("", t.Total)
		gauge("vertices", "Vertices of the graph.")("", float64(s.Vertices))
		gauge("edges", "Edges of the graph.")("", float64(s.Edges))
		if s.GTEPS > 0 {
			gauge("gteps", "Vertices times edges per second of computing, in 1e9.")("", s.GTEPS)
		}
		gauge("peak_memory_bytes", "Peak memory of the run.")("", float64(s.PeakMemory))
		gauge("warnings", "Warnings of the run.")("", float64(len(s.Warnings)))
		gauge("self_check_sources", "Sources whose sums were checked.")("", float64(s.SelfCheck.Sources))
		gauge("self_check_largest_relative_difference", "Largest difference in the self-check.")("", s.SelfCheck.LargestRelative)
		gauge("self_check_batches_recomputed", "Batches that a core computed again.")("", float64(s.SelfCheck.Recomputed))
	}
	_, err := io.WriteString(w, text.String())
	return err
}
