package gpu

import (
	"testing"

	"bcstage/gpu/internal/driver"
	"bcstage/gpu/internal/methods"
	"bcstage/gpu/internal/wave"
)

// A wave counts its numbers in 32 bits: with Ragged, those of all lanes.
func TestCountable(t *testing.T) {
	for _, c := range []struct {
		ragged                 bool
		words, packs, vertices int
		want                   bool
	}{
		{false, 2, 1, 1<<32/17 - 1, true},
		{false, 2, 1, 1<<32/17 + 1, false},
		{true, 2, 1, 1<<26 - 1, true},
		{true, 2, 1, 1 << 26, false},
		{true, 2, 64, 1 << 20, false},
		{true, 1, 1, 1 << 26, true},
	} {
		s := wave.Shape{Words: c.words, Packs: c.packs, Vertices: c.vertices, Wishes: wave.Wishes{Ragged: c.ragged, PerRow: 16}}
		if got := s.Countable(); got != c.want {
			t.Errorf("%+v: countable is %v", c, got)
		}
	}
}

// Work-groups are as large as asked for, if the device has the local memory.
func TestGroupsFitLocalMemory(t *testing.T) {
	for _, c := range []struct {
		local             int64
		group, want, flat int
	}{
		{48 << 10, 256, 256, 256},
		{48 << 10, 1024, 320, 1024},
		{32 << 10, 1024, 192, 1024},
		{1 << 10, 256, 32, 256},
		{1 << 20, 1024, 1024, 1024},
	} {
		d := &wave.Processor{Device: driver.Device{LocalMemory: c.local}, Group: c.group, Fixed: true}
		if got, flat := d.GroupOf(wave.Shape{Local: methods.RaggedLocal}), d.GroupOf(wave.Shape{}); got != c.want || flat != c.flat {
			t.Errorf("%+v: groups of %d, and %d of a method that takes little", c, got, flat)
		}
	}
}

// Waves that leave the host much to do are large, but there are several.
func TestWavesWithEdges(t *testing.T) {
	for _, c := range []struct {
		wanted, edges, arcs, near int
		want                      int
	}{
		{1139, 0, 0, 0, 59}, // an R-MAT graph of scale 17
		{1139, 5, 9, 0, 4 * 59},
		{570, 5, 9, 0, 142},
		{100, 5, 9, 0, 2 * 59},
		{1139, 5, 0, 0, 59},
		{1139, 5, 9, 4, 132},
	} {
		s := wave.Shape{Vertices: 72842, Words: 2, BlockShape: wave.BlockShape{Edges: c.edges, Arcs: c.arcs}, Wishes: wave.Wishes{Near: c.near}}
		if got := s.Full(132, c.wanted, false); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
