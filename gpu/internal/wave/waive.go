package wave

import (
	"bcstage/gpu/internal/driver"
)

// writeWaivers writes the wave's waivers to the device.
func (s *Wave) writeWaivers() error {
	w := &s.Waivers
	w.Fill(s.Block.Block, s.Seating.Source)
	if len(w.Lane) == 0 {
		return nil
	}
	for name, data := range map[string][]byte{
		"WaivedLane": driver.Bytes(w.Lane), "WaivedVertex": driver.Bytes(w.Vertex),
		"WaivedMass": driver.Bytes(w.Mass), "WaivedLevel": driver.Bytes(w.Level),
	} {
		if err := s.Write(name, data); err != nil {
			return err
		}
	}
	return nil
}

// Waive launches the method's kernel for the level that the backward pass has settled:
// one work-item for each waiver. Nothing reads the shares of level 1.
func (s *Wave) Waive(call any, level int) error {
	if len(s.Waivers.Lane) == 0 || level < 2 {
		return nil
	}
	return s.Launch(call, s.Flat(len(s.Waivers.Lane)), 1)
}

// SettleWaivers takes waived masses off the expected sums of the self-check: the kernels
// add up whole target masses.
func (s *Wave) SettleWaivers(want []float64) error {
	w := &s.Waivers
	if len(w.Lane) == 0 {
		return nil
	}
	if err := s.Read("WaivedLevel", driver.Bytes(w.Level)); err != nil {
		return err
	}
	for i, level := range w.Level {
		if level > 0 {
			lane := w.Lane[i]
			want[lane] -= w.Mass[i] * float64(int(level)-int(s.Seating.Starts[lane])-1)
		}
	}
	return nil
}

// waiverSizes are the bytes of the buffers for `count` waivers, by their names in
// kernels.
func waiverSizes(count int) map[string]int64 {
	if count == 0 {
		return nil
	}
	n := int64(count)
	return map[string]int64{"WaivedLane": 4 * n, "WaivedVertex": 4 * n, "WaivedMass": 8 * n, "WaivedLevel": 4 * n}
}
