package cli

import (
	"strings"
	"testing"
	"time"

	"bcstage/pipeline"
)

func TestNearest(t *testing.T) {
	candidates := []string{"output", "format", "src", "dst", "n"}
	for word, want := range map[string]string{"frmat": "format", "out": "output", "cut": "", "fromat": "format", "outptu": "output", "zzz": "", "srcs": "src", "m": "n"} {
		if got := nearest(word, candidates); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

func TestDescribeProgress(t *testing.T) {
	report := pipeline.Progress{
		Stage: "compute", Done: 43, Total: 100, Share: 0.5, GTEPS: 4.6123, Left: 11600 * time.Millisecond,
		Engines: []pipeline.EngineStat{{Name: "cpu", Share: 0.1}, {Name: "gpu 0", Share: 0.4}},
	}
	want := "compute    50%  43/100 batches  4.61 GTEPS  ETA 12s  cpu 20%  gpu 0 80%"
	if got := describeProgress(report, false); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := describeProgress(report, true), strings.Replace(want, " 50%  ", "", 1); got != want {
		t.Errorf("beside a bar: %q, want %q", got, want)
	}
	report = pipeline.Progress{Stage: "read", Edges: 12_000_000, Elapsed: 2 * time.Second}
	if got, want := describeProgress(report, true), "read      12 000 000 edges  6.0 M/s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
