package cli

import (
	"strings"
	"testing"

	"bcstage/pipeline"
	"bcstage/preprocess"
)

// A reduction that was off is named with the reason; no graph alone turns one off. A measured device has a line.
func TestInfoLines(t *testing.T) {
	info := &pipeline.Info{
		Stats:  pipeline.Stats{Reductions: []preprocess.Reduction{{Name: "folding", Off: "--cutoff"}, {Name: "twins"}}},
		Device: &pipeline.DeviceTime{Name: "0 H200", Share: 0.002, Measured: 13, Seconds: 6500},
	}
	var out strings.Builder
	if err := writeInfo(&out, info); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"reductions          twins\n", "reductions off      folding (--cutoff)\n", "estimated time      1h48m20s on one device (0 H200), 13m33s on 8, 1m42s on 64; 0.2 % of the work took 13 s\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}
