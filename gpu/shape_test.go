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
		s := shape{ragged: c.ragged, words: c.words, packs: c.packs, vertices: c.vertices, perRow: 16}
		if got := s.countable(); got != c.want {
			t.Errorf("%+v: countable is %v", c, got)
		}
	}
}
