//go:build opencl || device

package cli_test

import (
	"context"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/gpu/opencl"
)

// A run killed with a device at work loses no more than one on the CPU. The next run continues to
// the same scores except for rounding: the speed of a device determines how many batches it adds up
// before they are rounded.
func TestKilledWithDevice(t *testing.T) {
	b := newBroken(t, "--engine", "gpu", "--device", anyDevice(t))
	read := func() tables.Table {
		table, err := arrowio.ReadTable(context.Background(), tables.Options{Paths: []string{b.output}})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	if err := os.WriteFile(b.output, b.want, 0o600); err != nil {
		t.Fatal(err)
	}
	want := read()
	b.remove(b.output)
	b.killed(kills()/8, func() {
		got := read()
		if !slices.Equal(got.IDs.Ints, want.IDs.Ints) {
			t.Fatal("other vertices")
		}
		for v, score := range got.Floats(tables.ScoreColumn) {
			if want := want.Floats(tables.ScoreColumn)[v]; !(math.Abs(score-want) <= 1e-12*max(want, 1)) {
				t.Fatalf("after %d kills: vertex %d: %v, want %v", b.interrupted, v, score, want)
			}
		}
	})
}

// anyDevice is the number of a usable device. With BCSTAGE_REQUIRE_OPENCL=1 a missing one is a
// failure.
func anyDevice(t *testing.T) string {
	t.Helper()
	list, err := opencl.Platform{}.Devices()
	for _, d := range list {
		if d.Unusable == "" {
			return strconv.Itoa(d.Number)
		}
	}
	if os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
		t.Fatalf("BCSTAGE_REQUIRE_OPENCL=1, but %v (%d devices)", err, len(list))
	}
	t.Skipf("%v (%d devices); BCSTAGE_REQUIRE_OPENCL=1 makes this a failure", err, len(list))
	return ""
}
