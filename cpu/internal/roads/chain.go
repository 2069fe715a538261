package roads

import (
	"context"

	"bcstage/internal/pages"
)

// expand finds the distances of all vertices from a junction. line has its distances from all
// junctions.
func (s *Search) expand(line []int32) {
	from, most := s.from, int32(0)
	for j := range s.junction {
		from[s.junction[j].first] = line[j]
		most = max(most, line[j])
	}
	for i := range s.hollow {
		g := &s.hollow[i]
		x, y := line[g.ends[0]], line[g.ends[1]]+g.length
		most = max(most, (x+y)/2) // where the paths from both ends meet
		inside := from[g.first : g.first+g.inside()]
		for p := range inside {
			x, y = x+1, y-1
			inside[p] = min(x, y)
		}
	}
	for _, v := range s.hanging {
		from[v] = from[s.Into[v]] + 1
	}
	s.levels = int(most) + s.deepest + 1
}

// count counts the vertices outside a chain by two numbers: their distance from the chain's first
// end minus that from the second, and their distance from the second. The arguments near and
// far are the distances of all junctions from the second end and from the first. Sums of the
// counts by distance are stored in s.ends[1].
func (s *Search) count(g *group, near, far []int32) {
	length, levels := g.length, int32(s.levels)
	s.moves = pages.Cleared(s.moves, int((2*length+1)*levels))
	from, moves := s.from, s.moves
	tally := func(first, end uint32, apart int32) {
		row := moves[(apart+length)*levels:][:levels]
		for _, d := range from[first:end] {
			row[d]++
		}
	}
	for j := range s.junction {
		at := &s.junction[j]
		tally(at.first, at.end, far[j]-near[j])
	}
	for i := range s.hollow {
		at := &s.hollow[i]
		if at == g {
			continue
		}
		x, y := at.ends[0], at.ends[1]
		if apart := far[x] - near[x]; apart == far[y]-near[y] {
			tally(at.first, at.end, apart)
			continue
		}
		for v := at.first; v < at.first+at.inside(); v++ {
			p := int32(v-at.first) + 1
			s.apart[v] = min(far[x]+p, far[y]+at.length-p) - from[v]
			moves[(s.apart[v]+length)*levels+from[v]]++
		}
		for v := at.first + at.inside(); v < at.end; v++ {
			s.apart[v] = s.apart[s.Into[v]]
			moves[(s.apart[v]+length)*levels+from[v]]++
		}
	}
	s.ends[1] = pages.Cleared(s.ends[1], int(levels))
	for first := int32(0); first < int32(len(moves)); first += levels {
		for d, count := range moves[first : first+levels] {
			s.ends[1][d] += count
		}
	}
}

// walk makes the lists of the vertices inside a chain, from its second end on, and of the vertices that
// hang on them. across is the distance of its ends.
func (s *Search) walk(ctx context.Context, g *group, across int) error {
	length, levels := int(g.length), s.levels
	near := s.ends[1] // counts of vertices reached by the second end, by their distance from it
	s.ends[0] = pages.Cleared(s.ends[0], levels+length)
	far := s.ends[0] // the same for the first end
	inside := int(g.inside())
	for p := 1; p <= inside; p++ {
		if err := ctx.Err(); err != nil { // every place counts all vertices that hang in the chain
			return err
		}
		for row := 2*p - 2; row < 2*p; row++ { // vertices for which the first end becomes nearer
			apart := row - length
			for d, count := range s.moves[row*levels : (row+1)*levels] {
				if count > 0 {
					near[d] -= count
					far[d+apart] += count
				}
			}
		}
		v := g.first + uint32(inside-p)
		if v >= s.hi || s.end[v] <= s.lo && v < s.lo {
			continue
		}
		list := s.list(0, levels+2*length+s.deepest+1)
		for d, count := range near {
			list[d+p] += count
		}
		for d, count := range far {
			list[d+length-p] += count
		}
		for u := g.first; u < g.end; u++ {
			on, down := u, 0
			for on >= g.first+uint32(inside) {
				on = s.Into[on]
				down++
			}
			apart := int(on) - int(v)
			apart = max(apart, -apart)
			list[min(apart, across+length-apart)+down]++
		}
		top := len(list)
		for list[top-1] == 0 {
			top--
		}
		s.lists[0] = list[:top]
		if err := s.tell(ctx, v); err != nil {
			return err
		}
	}
	return nil
}
