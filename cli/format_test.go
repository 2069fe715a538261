package cli

import (
	"strings"
	"testing"
	"time"

	"bcstage/pipeline"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1 000", -1000: "-1 000", -100: "-100", 1234567: "1 234 567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "0.977 KiB", 1 << 20: "1 MiB", 3 << 29: "1.5 GiB", 1 << 62: "4.19e+06 TiB"} {
		if got := bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for s, want := range map[float64]string{0: "0 s", 0.0042: "0.0042 s", 1.234: "1.23 s", 99: "99 s", 125: "2m5s"} {
		if got := seconds(s); got != want {
			t.Errorf("%v: %q, want %q", s, got, want)
		}
	}
}

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
