package preprocess

import "testing"

// The sums of a batch fit 64 bits where every source is next to the vertex, however
// large the component is.
func TestDistanceBatchesFit(t *testing.T) {
	for _, vertices := range []int{1, 1000, 1 << 17, 1 << 20, MaxVertices} {
		if lanes := distanceLanes(vertices, 0); lanes < 1 || uint64(lanes) > (1<<64-1)>>HarmonicBits {
			t.Errorf("%d vertices: batches of %d sources", vertices, lanes)
		}
	}
}
