package lengths

import (
	"context"
	"math/bits"
)

// one holds some lanes of a rank that have just been computed.
type one struct {
	rank  uint32
	lanes uint16
}

// mend computes lanes that the sweep of count or depend left behind. The sweep has just computed the lanes fresh of
// rank r, where some links turn: they lead to ranks that it visited before. Lanes there waited for rank r. mend
// computes them now, and then the lanes that waited for them. It computes few lanes one by one. Sources far
// apart disagree about the order of many vertices. Then mostly one lane of a vertex waits, and a whole row costs too much.
func (s *Search) mend(ctx context.Context, behind, ahead *links, r uint32, fresh uint16, done []uint16, row func(*frame, int) uint16, alone func(*Search, uint32, int)) error {
	up := behind == &s.before // the sweep visited lower ranks before, else higher ones
	s.waiting = append(s.waiting[:0], one{r, fresh})
	for len(s.waiting) > 0 {
		last := len(s.waiting) - 1
		at := s.waiting[last]
		s.waiting = s.waiting[:last]
		first, end := ahead.first[at.rank], ahead.first[at.rank+1]
		masks := ahead.mask[first:end]
		if err := s.visited(ctx, end-first); err != nil {
			return err
		}
		for i, to := range ahead.rank[first:end] {
			if to < r != up {
				continue
			}
			m := masks[i] & at.lanes &^ done[to]
			if m == 0 {
				continue
			}
			m = behind.ready(to, m, done)
			switch count := bits.OnesCount16(m); {
			case count == 0:
				continue
			case count >= rowFrom:
				m = row(&s.frame, int(to))
			default:
				for left := m; left != 0; left &= left - 1 {
					alone(s, to, bits.TrailingZeros16(left))
				}
				done[to] |= m
			}
			s.waiting = append(s.waiting, one{to, m})
		}
	}
	return nil
}

// rowFrom is the least number of lanes that are computed with the whole row of a vertex.
const rowFrom = 3

// turn says whether some link of rank r in these lanes leads to a rank that the sweep has visited.
func (l *links) turn(r uint32, lanes uint16, up bool) bool {
	first, end := l.first[r], l.first[r+1]
	masks := l.mask[first:end]
	for i, to := range l.rank[first:end] {
		if to < r == up && masks[i]&lanes != 0 {
			return true
		}
	}
	return false
}

// ready returns the lanes of mask in which all links of a rank are done.
func (l *links) ready(r uint32, mask uint16, done []uint16) uint16 {
	first, end := l.first[r], l.first[r+1]
	ranks := l.rank[first:end]
	for i, m := range l.mask[first:end] {
		mask &^= m &^ done[ranks[i]]
	}
	return mask
}

// countOne is kernels.count for one lane.
func (s *Search) countOne(r uint32, lane int) {
	sum, v := s.gatherOne(&s.before, r, lane), s.order[r]
	if s.multiplicity != nil {
		sum *= s.multiplicity[v]
	}
	s.rows[int(r)*lanes+lane] = sum
	s.reached[lane] += s.weight[v]
	s.most[lane] = max(s.most[lane], sum)
}

// dependOne is kernels.depend for one lane.
func (s *Search) dependOne(r uint32, lane int) {
	sum, v, mu := s.gatherOne(&s.after, r, lane), s.order[r], 1.0
	if s.multiplicity != nil {
		mu = s.multiplicity[v]
	}
	row := &s.rows[int(r)*lanes+lane]
	if d := float64(*row * sum); s.start[r]>>lane&1 != 0 {
		s.got[lane] = d
	} else {
		s.scores[v] += float64(s.source[lane]*d) / mu // the conversion keeps arm64 from fusing
		if s.drawn != nil {
			x := float64(s.draws[lane] * d)
			s.drawn[v] += x / mu
			s.squares[v] += float64(x*d) / mu / mu
		}
	}
	*row = (s.weight[v] / *row + sum) * mu
	if seeded(s.block) {
		s.sow(r, 1<<lane)
	}
}

// gatherOne adds up a lane of the rows at the ends of a rank's links.
func (s *Search) gatherOne(l *links, r uint32, lane int) float64 {
	first, end := l.first[r], l.first[r+1]
	sum := 0.0
	for i, m := range l.mask[first:end] {
		if m>>lane&1 != 0 {
			sum += s.rows[int(l.rank[first+int64(i)])*lanes+lane]
		}
	}
	s.rowLoads += end - first
	return sum
}
