package lengths

import (
	"cmp"
	"math/bits"
	"slices"

	"bcstage/preprocess"
)

// Where masses count by their distance (preprocess.Block.Decay), or trips by their pair (Block.HasTrips), a vertex has a seed
// of its own in every lane. Kernels that know one weight of a vertex for all lanes see 0, and the seeds are added to what
// they leave.

// seeded tells whether a block has such seeds.
func seeded(b *preprocess.Block) bool { return b.Decay != nil || b.HasTrips() }

// trip is what goes from the source of a lane to a vertex.
type trip struct {
	vertex uint32
	lane   int
	count  float64
}

// listTrips lists those of a group, by vertex.
func (s *Search) listTrips(sources []uint32) {
	s.trips = s.trips[:0]
	for lane, v := range sources {
		for _, x := range s.block.WaivedBy(v) {
			s.trips = append(s.trips, trip{x.Target, lane, -x.Mass})
		}
	}
	slices.SortStableFunc(s.trips, func(x, y trip) int { return cmp.Compare(x.vertex, y.vertex) })
}

// dependSeeded is a kernel depend for a block with seeds.
func (s *Search) dependSeeded(depend func(*frame, int) uint16) func(*frame, int) uint16 {
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
	v, fresh := s.order[r], fresh&^s.start[r]
	if s.block.Decay == nil {
		at, _ := slices.BinarySearchFunc(s.trips, v, func(x trip, v uint32) int { return cmp.Compare(x.vertex, v) })
		for ; at < len(s.trips) && s.trips[at].vertex == v; at++ {
			if x := s.trips[at]; fresh>>x.lane&1 == 1 {
				s.sowOne(r, x.lane, x.count, counts)
			}
		}
		return
	}
	if s.block.To[v] == 0 {
		return
	}
	for left := fresh; left != 0; left &= left - 1 {
		lane := bits.TrailingZeros16(left)
		s.sowOne(r, lane, s.block.Seed(v, s.distance(v, lane)), counts)
	}
}

// sowOne does so for one lane.
func (s *Search) sowOne(r uint32, lane int, seed float64, counts *[lanes]float64) {
	v, mu := s.order[r], 1.0
	if s.multiplicity != nil {
		mu = s.multiplicity[v]
	}
	s.reached[lane] += seed
	s.rows[int(r)*lanes+lane] += float64(seed / counts[lane] * mu) // the conversion keeps arm64 from fusing
	if s.block.HasFlows() {
		s.flows.want += float64(float64(s.source[lane]*seed) * float64(s.distance(v, lane)))
	}
}
