package gpu

import "bcstage/preprocess"

// waivers of a wave, lane by lane: targets that count for less in the searches of
// some of its sources. See preprocess.Block.Waived.
//
// After each level of the way back a kernel of the method takes them from that level's
// shares, before the next level reads those, and notes the level. They are few next to
// what a level has to look at, so all of the wave are looked at each time.
type waivers struct {
	lane, vertex []uint32
	mass         []float64
	level        []uint32 // that the method's kernel found them at; 0: none that matters
}

// fill lists the waivers of the sources that are seated.
func (w *waivers) fill(b *preprocess.Block, source []uint32) {
	*w = waivers{lane: w.lane[:0], vertex: w.vertex[:0], mass: w.mass[:0], level: w.level[:0]}
	if b.Waived == nil {
		return
	}
	for lane, s := range source {
		if s == noLane {
			continue
		}
		for _, x := range b.WaivedBy(s) {
			w.lane, w.vertex, w.mass = append(w.lane, uint32(lane)), append(w.vertex, x.Target), append(w.mass, x.Mass)
			w.level = append(w.level, 0)
		}
	}
}

// waiverSizes are the bytes of the buffers that so many waivers need, by the names that
// kernels have for them.
func waiverSizes(count int) map[string]int64 {
	if count == 0 {
		return nil
	}
	n := int64(count)
	return map[string]int64{"WaivedLane": 4 * n, "WaivedVertex": 4 * n, "WaivedMass": 8 * n, "WaivedLevel": 4 * n}
}

// writeWaivers has those of the wave on the device.
func (s *stream) writeWaivers() error {
	w := &s.waivers
	w.fill(s.task.block, s.seating.source)
	if len(w.lane) == 0 {
		return nil
	}
	for _, part := range []part{
		{"WaivedLane", bytesOf(w.lane)}, {"WaivedVertex", bytesOf(w.vertex)},
		{"WaivedMass", bytesOf(w.mass)}, {"WaivedLevel", bytesOf(w.level)},
	} {
		if err := s.write(part.name, part.data); err != nil {
			return err
		}
	}
	return nil
}

// waive launches a method's kernel for the level that the way back has settled: one
// work-item for each waiver. Nothing reads the shares of level 1.
func (s *stream) waive(call any, level int) error {
	if len(s.waivers.lane) == 0 || level < 2 {
		return nil
	}
	return s.launch(call, s.flat(len(s.waivers.lane)), 1)
}

// settleWaivers takes what was waived from the sums that the self-check wants: the
// kernels add up whole target masses.
func (s *stream) settleWaivers() error {
	w := &s.waivers
	if len(w.lane) == 0 {
		return nil
	}
	if err := s.queue.read(s.memory["WaivedLevel"], 0, bytesOf(w.level)); err != nil {
		return err
	}
	want := s.sums[len(s.seating.source):]
	for i, level := range w.level {
		if level > 0 {
			lane := w.lane[i]
			want[lane] -= w.mass[i] * float64(int(level)-int(s.seating.starts[lane])-1)
		}
	}
	return nil
}
