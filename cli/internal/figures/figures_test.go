package figures

import (
	"math"
	"testing"
)

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1 000", -1000: "-1 000", -100: "-100", 1234567: "1 234 567"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSeconds(t *testing.T) {
	for s, want := range map[float64]string{0: "0 s", 0.00008: "0.08 ms", 0.0042: "0.0042 s", 1.234: "1.23 s", 99: "99 s", 125: "2m5s"} {
		if got := Seconds(s); got != want {
			t.Errorf("%v: %q, want %q", s, got, want)
		}
	}
}

func TestGroupedFloat(t *testing.T) {
	for want, x := range map[string]float64{"0.00": 0, "999.50": 999.5, "1 000.00": 1000, "-1 234 567.25": -1234567.25, "-100.00": -100} {
		if got := GroupedFloat(x, 2); got != want {
			t.Errorf("%v: %q, want %q", x, got, want)
		}
	}
	if got := GroupedFloat(math.Pi*1e6, 0); got != "3 141 593" {
		t.Errorf("%q", got)
	}
}
