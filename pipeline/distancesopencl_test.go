//go:build opencl || device

package pipeline

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/gpu/opencl"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

// Rows of distances and the independent set are those of cores, in the same order.
func TestDistancesOnOpenCL(t *testing.T) {
	selection := ""
	list, err := opencl.Platform{}.Devices()
	for _, d := range list {
		if d.Unusable == "" && selection == "" {
			selection = strconv.Itoa(d.Number)
		}
	}
	if selection == "" {
		if os.Getenv("BCSTAGE_REQUIRE_OPENCL") == "1" {
			t.Fatalf("BCSTAGE_REQUIRE_OPENCL=1, but %v (%d devices)", err, len(list))
		}
		t.Skip("no device")
	}
	r := rand.New(rand.NewPCG(71, 23))
	for i := range 10 {
		opts := randomDistances(r)
		want, _, err := distanceRows(t.Context(), t, opts, false)
		if err != nil {
			t.Fatal(err)
		}
		opts.Devices, opts.Engine, opts.Device = opencl.Devices(), EngineGPU, selection
		rows, stats, err := distanceRows(t.Context(), t, opts, false)
		if err != nil || !slices.Equal(rows, want) || len(stats.Engines) != 1 || stats.Engines[0].Failed != "" || stats.DeviceChoices[0].Declined != "" {
			t.Fatalf("graph %d: %d rows, want %d, %+v, %v", i, len(rows), len(want), stats, err)
		}
	}
	var lines bytes.Buffer
	lines.WriteString("src,dst,km\n")
	for i, e := range testgraphs.Random(r, 300, 300, 500) {
		fmt.Fprintf(&lines, "%d,%d,%d.%d\n", e[0], e[1], 1+i%7, i%10)
	}
	for _, cutoff := range []string{"", "8.5"} {
		opts := Options{Sources: VertexSetOf(1, 5, 200, 7)}
		opts.Question.Lengths.Column, opts.Question.Cutoff = "km", cutoff
		read := func() []string {
			opts.Read, opts.Files = arrowio.Read, tables.Options{Stdin: bytes.NewReader(lines.Bytes())}
			rows, stats, err := distanceRows(t.Context(), t, opts, false)
			if err != nil || len(stats.Engines) != 1 || stats.Engines[0].Failed != "" || (opts.Engine == EngineGPU) != (stats.DeviceChoices != nil) {
				t.Fatalf("by lengths: %+v, %v", stats, err)
			}
			return rows
		}
		want := read()
		opts.Devices, opts.Engine, opts.Device = opencl.Devices(), EngineGPU, selection
		if rows := read(); !slices.Equal(rows, want) {
			t.Fatalf("by lengths: %q, want %q", rows, want)
		}
	}
	e := listed("random", testgraphs.Random(r, 700, 700, 1500))
	opts := asking(measures.IndependentSet)
	want := run1(t, e, opts).Columns[0].Values.(tables.Bools)
	var table tables.Table
	opts.Devices, opts.Engine, opts.Device, opts.Source = opencl.Devices(), EngineGPU, selection, sourceOf(e)
	stats, err := Run(t.Context(), opts, into(&table))
	if err != nil || !slices.Equal(table.Columns[0].Values.(tables.Bools), want) || len(stats.Warnings) > 0 || len(stats.Notes) == 0 {
		t.Fatalf("set: %+v, %v", stats, err)
	}
}
