package pipeline

import (
	"testing"

	"bcstage/internal/testgraphs"
)

// Path counts beyond float64 are rescued for lengths, too. The layers are joined completely, at
// varying distances. A vertex carries a share of the pairs of layers on both its sides, and of the
// pairs within an adjacent layer that is nearer to it than to that layer's other neighbour.
func TestLengthsBeyondFloat64(t *testing.T) {
	const width, depth = 4, 540 // 2^1076 paths
	w := &weighted{edgeList: edgeList{name: "layers"}}
	for _, e := range testgraphs.Layers(width, depth) {
		w.join(int(e[0]), int(e[1]))
		w.weights.Digits = append(w.weights.Digits, 1+int64(e[0])/width%3)
		w.weights.Exponents = append(w.weights.Exponents, 0)
	}
	table, stats, err := w.try(Options{Compute: Compute{Threads: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if stats.SelfCheck.Recomputed == 0 {
		t.Error("nothing was computed again")
	}
	gap := func(layer int) int { return layer % 3 } // to the next layer
	want := make([]float64, width*depth)
	within := width * (width - 1) / 2
	for layer := range depth {
		beside := layer + 1
		if layer > 0 && (layer == depth-1 || gap(layer-1) < gap(layer)) {
			beside = layer - 1
		}
		for i := range width {
			want[width*layer+i] += float64(width * width * layer * (depth - 1 - layer) / width)
			want[width*beside+i] += float64(within) / width
		}
	}
	scores := make([]float64, len(want))
	for v, x := range scoresIn(table) {
		scores[table.IDs.Ints[v]] = x
	}
	wantNear(t, "layers", scores, want, 1e-11)
}
