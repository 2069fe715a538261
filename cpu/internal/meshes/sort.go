package meshes

import (
	"context"
	"math"
	"slices"

	"bcstage/internal/pages"
)

// heavyShare is the least part of the vertices, one in so many, whose masses take longer one by one than those of all.
const heavyShare = 16

// sort orders the ranks by the sum of their levels. If all lanes agree which of
// two neighbours is nearer, its sum is smaller. sort also computes want: for each source
// the sum of target mass times distance minus 1.
func (s *Search) sort(ctx context.Context, sources []uint32) error {
	heavy, all := s.heavy, heavyShare*len(s.heavy) > len(s.rankOf) && s.width == lanes
	if s.block.Decay != nil { // see meet
		heavy, all = nil, false
	}
	total := [lanes]uint64{}
	s.weighed, s.weighs = [lanes]float64{}, all
	n := len(s.rankOf)
	for first := 0; first < n; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		end := min(first+min(segment, math.MaxUint16/len(s.buckets)), n)
		s.perLane = [lanes]uint16{}
		s.kernels.measure(&s.frame, first, end)
		for lane := range s.width {
			total[lane] += uint64(s.perLane[lane])
		}
		first = end
	}
	for i, v := range sources {
		to, start, sum := s.weight[v], float64(s.start[i]), float64(total[i])
		if all {
			heavy, sum = nil, s.weighed[i]
		}
		s.want[i], s.reached[i] = sum-to*start-(s.mass-to)*(start+1), s.mass-to
	}
	for _, v := range heavy {
		row, more := s.levels[int(s.rankOf[v]-1)*lanes:], s.weight[v]-1
		for i := range sources {
			s.want[i] += more * float64(row[i])
		}
	}
	s.leaveOut(sources)
	least, most := s.sums[0], s.sums[0]
	for _, x := range s.sums {
		least, most = min(least, x), max(most, x)
	}
	least &^= uint32(s.width - 1)
	places := pages.Cleared(s.places, int(most-least)+2)
	s.places = places
	for _, x := range s.sums {
		places[x-least+1]++
	}
	s.groups = s.groups[:0]
	at := uint32(0)
	for group := range slices.Chunk(places[1:], s.width) {
		for x, count := range group {
			at += count
			group[x] = at
		}
		if len(group) == s.width {
			s.groups = append(s.groups, at)
		}
	}
	s.groups = append(s.groups, uint32(n))
	for r, x := range s.sums {
		s.turns[places[x-least]] = uint32(r)
		places[x-least]++
	}
	return nil
}
