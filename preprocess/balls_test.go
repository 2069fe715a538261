package preprocess_test

import (
	"context"
	"errors"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testending"
)

// The ball of a block whose batches reach little is the part that they reach. Measuring stops early if the first
// batches reach most of the block.
func TestMeasureBalls(t *testing.T) {
	for _, c := range []struct {
		side, lanes, cutoff int
		small               bool
	}{{60, 4, 2, true}, {60, 4, 50, false}, {6, 4, 5, false}, {60, 64, 2, true}} {
		b := testblocks.Grid(c.side, c.side, c.lanes)
		b.Cutoff = c.cutoff
		measured := &testblocks.Plan(b).Blocks[0]
		got := measured.Ball
		if measured.Local() != c.small {
			t.Errorf("%+v: ball %+v", c, got)
		}
		if diamond := 2*c.cutoff*c.cutoff + 2*c.cutoff + 1; c.small && (got.Largest > c.lanes*diamond || got.Largest < diamond/2 || got.Mean > float64(got.Largest)) {
			t.Errorf("%+v: ball %+v, where a source reaches %d", c, got, diamond)
		}
		if !c.small && got.Largest != b.Vertices() {
			t.Errorf("%+v: at most %d vertices", c, got.Largest)
		}
	}
	b := testblocks.Grid(60, 60, 64)
	if got := &testblocks.Plan(b).Blocks[0]; got.Ball.Largest != 0 || got.Local() {
		t.Errorf("without a cutoff: %+v", got.Ball)
	}
}

// Measuring stops when its context ends.
func TestMeasureBallsStops(t *testing.T) {
	b := testblocks.Grid(100, 100, 4)
	b.Cutoff = 3
	plan := testblocks.Plan(b)
	ctx := testending.After(t.Context(), 1<<30)
	if err := plan.Measure(ctx); err != nil {
		t.Fatal(err)
	}
	for looks := range ctx.Looks() {
		if err := plan.Measure(testending.After(t.Context(), looks)); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d looks: %v", looks, err)
		}
	}
}
