package meshes

import (
	"context"
	"math"
)

// settle finds the levels of all vertices. Among the sources, as far from the first as
// the farthest of them is, it relaxes until nothing changes. From there on it adds one
// breadth-first level after the other: each is relaxed when it is added, and once more
// when the next one has been. Few rows change then, and what they change is mended before
// it can mislead what lies beyond. So a mesh takes about two relaxations of each vertex.
func (s *Search[T]) settle(ctx context.Context, _ []uint32) error {
	before, first := uint32(0), uint32(0)
	last := len(s.ends) - 1
	for level := s.farthest; level <= last+1; level++ {
		end := s.ends[min(level, last)]
		s.blank(end, s.ends[min(level+1, last)])
		changed := s.relax(s.inOrder[first:end])
		if first > 0 {
			changed = s.relax(s.inOrder[before:first])
		}
		if err := s.mend(ctx, changed, end); err != nil {
			return err
		}
		before, first = first, end
	}
	return nil
}

// blank says of ranks that they are not reached.
func (s *Search[T]) blank(first, end uint32) {
	for rows := s.levels[int(first)*lanes : int(end)*lanes]; len(rows) > 0; {
		rows = rows[copy(rows, unreached[:]):]
	}
}

// unreached is some rows of levels.
var unreached = func() (rows [16 * lanes]uint16) {
	for i := range rows {
		rows[i] = far
	}
	return rows
}()

func (s *Search[T]) relax(list []uint32) (changed []uint32) {
	return s.changed[:s.kernels.relax(&s.frame, list, s.changed)]
}

// mend relaxes the neighbours of what has changed, among the ranks below end, until
// nothing changes.
func (s *Search[T]) mend(ctx context.Context, changed []uint32, end uint32) error {
	for len(changed) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		dirty, count := s.dirty, uint32(0)
		for _, r := range changed {
			for _, u := range s.neighbours(r) {
				fresh := (u - end) >> 31 &^ uint32(s.marked[u]) // 1 if u is below end and not there yet: not predictable
				s.marked[u] |= uint8(fresh)
				dirty[count] = u
				count += fresh
			}
		}
		dirty = dirty[:count]
		for _, r := range dirty {
			s.marked[r] = 0
		}
		changed = s.relax(dirty)
	}
	return ctx.Err()
}

// sort puts the ranks in order of the sum of their levels: where all lanes agree which of
// two neighbours is the nearer, its sum is the smaller. It finds want on the way: the
// target mass that each source reaches, by distance, but for the mass that is next to it.
func (s *Search[T]) sort(ctx context.Context, sources []uint32) error {
	total := [lanes]uint64{}
	n := len(s.rankOf)
	for first := 0; first < n; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		end := min(first+min(segment, math.MaxUint16/len(s.buckets)), n)
		s.perLane = [lanes]uint16{}
		s.kernels.measure(&s.frame, first, end)
		for lane := range s.width {
			total[lane] += uint64(s.perLane[s.place(lane)])
		}
		first = end
	}
	for i, v := range sources {
		to, start := s.weight[v], float64(s.start[i])
		s.want[i] = float64(total[i]) - to*start - (s.mass-to)*(start+1)
	}
	for _, v := range s.heavy {
		row, more := s.levels[int(s.rankOf[v]-1)*lanes:], s.weight[v]-1
		for i := range sources {
			s.want[i] += more * float64(row[s.place(i)])
		}
	}
	least, most := s.sums[0], s.sums[0]
	for _, x := range s.sums {
		least, most = min(least, x), max(most, x)
	}
	least &^= uint32(s.width - 1)
	places := cleared(s.places, int(most-least)+2)
	s.places = places
	for _, x := range s.sums {
		places[x-least+1]++
	}
	s.groups = s.groups[:0]
	at := uint32(0)
	for x := range places {
		at += places[x]
		places[x] = at
		if x%s.width == 0 && x > 0 {
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
