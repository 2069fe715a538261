package lanes

import (
	"cmp"
	"slices"
)

// waiver is what a lane does not count of a target, per path to it.
type waiver struct {
	vertex  uint32
	lane    int
	mass    float64
	perPath float64
	level   int // that the vertex is in, in the lane: for byLines
}

// noteWaived looks up the waivers of the sources whose targets have been reached,
// while rows hold path counts, which paths gives.
func (s *search[T]) noteWaived(paths func(v uint32, lane int) float64) {
	s.waived = s.waived[:0]
	if s.block.Waived == nil {
		return
	}
	for i, v := range s.sources {
		for _, x := range s.block.WaivedBy(v) {
			if s.seen[x.Target]>>i&1 == 1 {
				perPath := x.Mass * s.members(x.Target) / paths(x.Target, i)
				s.waived = append(s.waived, waiver{vertex: x.Target, lane: i, mass: x.Mass, perPath: perPath})
			}
		}
	}
	s.sortWaived()
}

// sortWaived puts what is waived in the order of vertices, in which waive looks it up.
func (s *search[T]) sortWaived() {
	slices.SortStableFunc(s.waived, func(x, y waiver) int { return cmp.Compare(x.vertex, y.vertex) })
}

// waive takes from c, which the level's rows hold by now, what is waived of its
// vertices. It goes over all waivers or, where these are more, over the level.
func (s *search[T]) waive(at int) {
	l, all := s.levels[at], s.waived
	if len(all) <= l.end-l.first {
		s.waiveOf(all, at)
		return
	}
	for _, v := range s.vertex[l.first:l.end] {
		first, _ := slices.BinarySearchFunc(all, v, func(x waiver, v uint32) int { return cmp.Compare(x.vertex, v) })
		end := first
		for end < len(all) && all[end].vertex == v {
			end++
		}
		s.waiveOf(all[first:end], at)
	}
}

// waiveOf does so for some waivers, those of lanes that have their vertices in the level.
func (s *search[T]) waiveOf(waived []waiver, at int) {
	for _, x := range waived {
		if s.here[x.vertex]>>x.lane&1 == 1 {
			s.rows[int(x.vertex)*s.lanes+x.lane] -= T(s.waivedOf(x, at))
		}
	}
}

// waivedOf is what c has too much, and takes it from want, too.
func (s *search[T]) waivedOf(x waiver, at int) float64 {
	perPath, distance := x.perPath, at-s.start[x.lane]
	if s.block.Linear {
		perPath /= float64(distance)
	}
	s.want[x.lane] -= x.mass * float64(distance-1)
	s.arrived[x.lane] -= x.mass
	return perPath
}
