package lanes

import (
	"math"
	"testing"
)

// The check of the build tag finds an invalid count in the lanes of the masks, and
// ignores all other lanes.
func TestCheckPaths(t *testing.T) {
	s := &search[float64]{
		frame: frame{vertex: []uint32{0, 2, 1}, mask: []uint64{0b11, 0b01, 0b10}},
		lanes: 2,
		rows:  []float64{0, 0, 0, 3, math.Inf(1), -1},
	}
	if err := s.checkPaths(1); err != nil {
		t.Error(err)
	}
	if s.checkPaths(0) == nil {
		t.Error("vertex 0 passes without a path")
	}
	for _, count := range []float64{0, 0.5, -1, math.NaN()} {
		s.rows[3] = count
		if s.checkPaths(1) == nil {
			t.Errorf("%v shortest paths pass", count)
		}
	}
}
