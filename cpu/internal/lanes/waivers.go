package lanes

import (
	"cmp"
	"slices"
	"sort"
)

// waiver is the part of a target's mass that a lane does not count.
type waiver struct {
	vertex  uint32
	lane    int
	mass    float64
	perPath float64
	level   int // of the vertex in the lane: for byLines
}

// byVertex is a sort.Interface: its sorts share the code of others.
type byVertex []waiver

func (b byVertex) Len() int           { return len(b) }
func (b byVertex) Less(i, j int) bool { return b[i].vertex < b[j].vertex }
func (b byVertex) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

// noteWaived looks up the sources' waivers for reached targets,
// while rows hold path counts. paths returns the count of a vertex in a lane.
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

// sortWaived sorts the waivers by vertex, for the binary search of waive.
func (s *search[T]) sortWaived() {
	sort.Stable(byVertex(s.waived))
}

// waive subtracts the waived mass of a level's vertices from c, which their rows
// now hold. It loops over all waivers, or over the level if it has fewer vertices.
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

// waiveOf does so for the given waivers whose lanes have the vertex in the level.
func (s *search[T]) waiveOf(waived []waiver, at int) {
	for _, x := range waived {
		if s.here[x.vertex]>>x.lane&1 == 1 {
			s.rows[int(x.vertex)*s.lanes+x.lane] -= T(s.waivedOf(x, at))
		}
	}
}

// waivedOf returns the waived part of c, and subtracts the waived mass from want and arrived.
func (s *search[T]) waivedOf(x waiver, at int) float64 {
	perPath, distance := x.perPath, at-s.start[x.lane]
	if s.block.Linear {
		perPath /= float64(distance)
	}
	s.want[x.lane] -= x.mass * float64(distance-1)
	s.arrived[x.lane] -= x.mass
	return perPath
}
