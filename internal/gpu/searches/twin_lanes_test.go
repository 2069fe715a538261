package searches

import (
	"math/bits"

	"bcstage/internal/splitmix"
)

// lanesTwins are the twins of the kernels of lanes.cl and independent.cl.
func lanesTwins(t *twin, call any) bool {
	switch c := call.(type) {
	case lanesClear:
		for i := range c.N * c.Words {
			first := i % c.Words * 32
			t.of("Here")[i] = 0
			switch {
			case c.Count >= first+32:
				t.of("Seen")[i] = 0
			case c.Count <= first:
				t.of("Seen")[i] = none
			default:
				t.of("Seen")[i] = none << (c.Count - first)
			}
		}
		for i := range c.N * c.Count {
			t.of("Far")[i] = none
		}
		copy(t.of("Met"), []uint32{1, 0, 0})
	case lanesSeed:
		for lane := range c.Count {
			source := t.of("Sources")[lane]
			t.of("Here")[source*c.Words+lane/32] |= 1 << (lane % 32)
			t.of("Seen")[source*c.Words+lane/32] |= 1 << (lane % 32)
			t.of("Far")[lane*c.N+source] = 0
		}
	case lanesLevel:
		met := t.of("Met")
		met[(c.Level+1)%3] = 0
		if met[(c.Level+2)%3] == 0 {
			return true
		}
		for i := range c.N * c.Words {
			v, word := i/c.Words, i%c.Words
			missing, found := ^t.of("Seen")[i], uint32(0)
			for e := t.of("InPtr")[v]; e < t.of("InPtr")[v+1] && missing != 0; e++ {
				found |= t.of("Here")[t.of("InAdj")[e]*c.Words+word] & missing
			}
			t.of("Next")[i] = found
			t.of("Seen")[i] |= found
			if found != 0 {
				met[c.Level%3] = 1
			}
			for ; found != 0; found &= found - 1 {
				t.of("Far")[(word*32+uint32(bits.TrailingZeros32(found)))*c.N+v] = c.Level
			}
		}
	case independentRound:
		for v := range c.N {
			now := t.of("State")[v]
			if now == 0 {
				now = 2
				for e := t.of("Ptr")[v]; e < t.of("Ptr")[v+1]; e++ {
					u := t.of("Adj")[e]
					if t.of("State")[u] == 2 {
						now = 1
						break
					}
					if t.of("State")[u] == 0 && splitmix.Nth(uint64(u)) < splitmix.Nth(uint64(v)) {
						now = 0
					}
				}
				if now == 0 {
					t.of("Open")[0] = 1
				}
			}
			t.of("Fresh")[v] = now
		}
	default:
		return false
	}
	return true
}
