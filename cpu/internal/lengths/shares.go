package lengths

import "math/bits"

// Where masses count by their distance (preprocess.Block.Decay), a vertex has a seed of its own in every lane. Kernels
// that know one weight of a vertex for all lanes see 0, and the seeds are added to what they leave.

// dependShared is a kernel depend for a block with Decay.
func (s *Search) dependShared(depend func(*frame, int) uint16) func(*frame, int) uint16 {
	return func(f *frame, r int) uint16 {
		counts := [lanes]float64(f.rows[r*lanes:])
		fresh := depend(f, r)
		s.sow(uint32(r), fresh, &counts)
		return fresh
	}
}

// sow adds the seeds of some lanes of a rank, whose rows depend has left, to them, and to what the lanes reach. No lane has
// one of its source.
func (s *Search) sow(r uint32, fresh uint16, counts *[lanes]float64) {
	v, mu := s.order[r], 1.0
	if s.multiplicity != nil {
		mu = s.multiplicity[v]
	}
	if s.block.To[v] == 0 {
		return
	}
	row := (*[lanes]float64)(s.rows[int(r)*lanes:])
	for left := fresh &^ s.start[r]; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros16(left)
		seed := s.block.Seed(v, s.distance(v, lane))
		s.reached[lane] += seed
		row[lane] += float64(seed / counts[lane] * mu) // the conversion keeps arm64 from fusing
	}
}
