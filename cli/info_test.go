package cli

import (
	"strings"
	"testing"

	"bcstage/pipeline"
	"bcstage/preprocess"
)

// A reduction that was off is named with the reason; no graph alone turns one off.
func TestInfoSaysWhatIsOff(t *testing.T) {
	info := &pipeline.Info{Stats: pipeline.Stats{Reductions: []preprocess.Reduction{{Name: "folding", Off: "--cutoff"}, {Name: "twins"}}}}
	var out strings.Builder
	if err := writeInfo(&out, info); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"reductions          twins\n", "reductions off      folding (--cutoff)\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, &out)
		}
	}
}
