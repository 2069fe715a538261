package gpu

import (
	"fmt"
	"strings"
	"testing"

	"bcstage/gpu/internal/kernels"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/survey"
	"bcstage/internal/testblocks"
)

// patchedOf is the number of blocks that an engine searches by patches.
func patchedOf(t testing.TB, e *runner) (count int) {
	for _, task := range e.blocks {
		if task.now().Patched {
			count++
		}
	}
	return count
}

// Blocks of few edges in every patch are searched by patches, unless options say which
// vertices to share, and no others are.
func TestPatches(t *testing.T) {
	plan := sample()
	want := reference(t, plan)
	for i, o := range matrixOf([]int{32, 96, 256}) {
		if testing.Short() && i%5 != 1 {
			continue
		}
		o.Strategy = methods.Levels
		s := simulate(t, o)
		if got := patchedOf(t, engineOf(t, s, plan).(*runner)); got == 0 || got == len(plan.Blocks) {
			t.Errorf("%v: %d of %d blocks by patches", o, got, len(plan.Blocks))
		}
		compare(t, fmt.Sprint(o.Precision, o.WorkGroup), runAll(t, s, plan), want, tolerance(o.Precision))
		s.options.Mdeg = 40
		if got := patchedOf(t, engineOf(t, s, plan).(*runner)); got != 0 {
			t.Errorf("%v, mdeg 40: %d blocks by patches", o, got)
		}
	}
}

// A patch with as many edges as there is room for, and one with one more.
func TestFewEdges(t *testing.T) {
	for spare, few := range map[int64]bool{0: true, 1: false} {
		b := testblocks.Of(3*survey.Patch, nil, 32)
		for v := range b.Offsets {
			if v >= survey.Patch+7 {
				b.Offsets[v] += survey.PatchEdges + spare
			}
		}
		if survey.FewEdges(b) != few {
			t.Errorf("%d edges of a patch: %v", survey.PatchEdges+spare, !few)
		}
	}
}

func TestPatchConstants(t *testing.T) {
	for _, line := range []string{fmt.Sprintf("#define PATCH %du\n", survey.Patch), fmt.Sprintf("#define EDGES %du ", survey.PatchEdges)} {
		if !strings.Contains(kernels.Text("patches"), line) {
			t.Errorf("kernels/patches.cl lacks %q", line)
		}
	}
}
