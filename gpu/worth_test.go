package gpu

import (
	"testing"

	"bcstage/internal/building"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Blocks with repeated arcs stay on cores.
func TestRepeatedArcsStayOnCores(t *testing.T) {
	for _, repeats := range []bool{false, true} {
		b := building.NewBuilder(1)
		b.Repeats = question.RepeatsKeep
		src, dst := []uint64{0, 1, 2, 3, 4, 5, 6, 0, 1}, []uint64{1, 2, 3, 4, 5, 6, 0, 3, 5} // a ring with two chords
		if repeats {
			src, dst = append(src, 1), append(dst, 0)
		}
		if err := b.AddEdges(building.Keys{Ints: src}, building.Keys{Ints: dst}); err != nil {
			t.Fatal(err)
		}
		in, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		plan, err := preprocess.Reduce(t.Context(), &in.Graph, preprocess.Options{Question: question.Question{Lengths: question.Lengths{Repeats: question.RepeatsKeep}}, Copies: in.Copies})
		if err != nil {
			t.Fatal(err)
		}
		if len(plan.Blocks) != 1 {
			t.Fatalf("%d blocks, want 1", len(plan.Blocks))
		}
		if _, got := Leaves(&plan.Blocks[0]); (got != "") != repeats {
			t.Errorf("repeated arcs: %t, devices leave: %q", repeats, got)
		}
	}
}
