package engine

import "testing"

// A batch that a device passes on together with others must also count by
// itself. The sums of both sides over several sources may differ more than each
// source's, by the rounding of their addition.
func TestDevicesAreStricter(t *testing.T) {
	for _, p := range append(Precisions(), "") {
		if !(p.DeviceTolerance() <= p.Tolerance()/2) {
			t.Errorf("%q: devices hand on what is apart by %g, what counts is apart by %g", p, p.DeviceTolerance(), p.Tolerance())
		}
	}
	if !(Float32.Tolerance() > Float64.Tolerance()) {
		t.Error("float32 is no coarser than float64")
	}
	if Precision("").Tolerance() != Float64.Tolerance() || Precision("").Bytes() != Float64.Bytes() {
		t.Error("the zero value is another than float64")
	}
}
