package gpu

import "testing"

// Numbers of a wave are counted in 32 bits: where they lie together, those of all lanes.
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
		s := shape{words: c.words, packs: c.packs, vertices: c.vertices, wishes: wishes{ragged: c.ragged, perRow: 16}}
		if got := s.countable(); got != c.want {
			t.Errorf("%+v: countable is %v", c, got)
		}
	}
}

// Work-groups are as large as was asked for, if a device has the local memory.
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
		d := &device{Device: Device{LocalMemory: c.local}, group: c.group, fixed: true}
		if got, flat := d.groupOf(shape{local: raggedLocal}), d.groupOf(shape{}); got != c.want || flat != c.flat {
			t.Errorf("%+v: groups of %d, and %d of a method that takes little", c, got, flat)
		}
	}
}

// Waves that end with much for the host are large, if there are some of them.
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
		s := shape{vertices: 72842, words: 2, searched: searched{edges: c.edges, arcs: c.arcs}, wishes: wishes{near: c.near}}
		if got := s.full(132, c.wanted, false); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
