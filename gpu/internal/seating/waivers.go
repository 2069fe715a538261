package seating

import "bcstage/preprocess"

// NoLane is NONE of the kernels: an unused lane.
const NoLane = ^uint32(0)

// Waivers lists, lane by lane, targets that count for less in the searches of some of a
// wave's sources. See preprocess.Block.Waived.
//
// After each level of the backward pass a kernel of the method takes them off that
// level's shares, before the next level reads those, and notes the level. They are few
// beside the vertices of a level, so each time all of the wave are looked at.
type Waivers struct {
	Lane, Vertex []uint32
	Mass         []float64
	Level        []uint32 // at which the method's kernel found them; 0: none that matters
}

// Fill lists the waivers of the seated sources.
func (w *Waivers) Fill(b *preprocess.Block, source []uint32) {
	*w = Waivers{Lane: w.Lane[:0], Vertex: w.Vertex[:0], Mass: w.Mass[:0], Level: w.Level[:0]}
	if b.Waived == nil {
		return
	}
	for lane, s := range source {
		if s == NoLane {
			continue
		}
		for _, x := range b.WaivedBy(s) {
			w.Lane, w.Vertex, w.Mass = append(w.Lane, uint32(lane)), append(w.Vertex, x.Target), append(w.Mass, x.Mass)
			w.Level = append(w.Level, 0)
		}
	}
}
