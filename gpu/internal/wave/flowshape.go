package wave

import (
	"math/bits"

	"bcstage/gpu/internal/driver"
)

// LevelPlanes is the number of bits kept of the level of a vertex in a lane; one of them
// says whether the lane has reached it. Where edges run both ways, two more tell the
// levels of neighbours apart; an arc may lead back by any number of levels.
func (s Shape) LevelPlanes() int {
	if !s.Ways {
		return 1 + 2
	}
	return 1 + bits.Len(uint(s.Levels+2))
}

// flowSizes are the bytes of the buffers of a wave of a block with Flows.
func (s Shape) flowSizes() map[string]int64 {
	if s.Edges == 0 {
		return nil
	}
	words := int64(s.Packs) * int64(s.Words)
	sizes := map[string]int64{"Flows": int64(s.Edges) * 8}
	if s.Arrives() {
		sizes["Arrived"] = 2 * words * driver.Team * 8
	}
	if s.Arcs > 0 {
		sizes["Cells"] = int64(s.Packs) * int64(s.Arcs) * 8
	} else {
		sizes["Depths"] = words * int64(s.Vertices) * int64(s.LevelPlanes()) * 4
	}
	return sizes
}

// Arrives says whether a device has to find the target mass that sources reach.
func (s Shape) Arrives() bool { return s.Edges > 0 && !(s.Whole && s.Arcs > 0) }
