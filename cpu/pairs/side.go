package pairs

import "bcstage/preprocess"

// side is the search from one end of a pair, level by level. Only what it touched
// is cleared for the next pair.
type side struct {
	along *preprocess.Graph // arcs away from the end
	back  *preprocess.Graph // the same arcs towards it
	mu    []float64         // multiplicities; nil: all 1

	seen  []uint64  // a bit per vertex
	place []uint32  // by vertex that is seen: where it is in order
	order []uint32  // vertices as they were found; those of a level follow each other
	paths []float64 // beside order: shortest paths from the end, each vertex as often as its multiplicity; of level l in units of scale^down[l]

	levels []int32 // where each level begins in order, and the end of the last
	down   []uint8 // by level
	arcs   int64   // that leave the last level
}

// Path counts of a level that pass half the exponents of a float64 are made
// smaller by this much, all of them: choices are made within levels, so only what
// they are to each other counts. Products of two sides stay in range.
const (
	largest = 0x1p400
	scale   = 0x1p-400
)

func newSide(along, back *preprocess.Graph, mu []float64) side {
	n := along.Vertices()
	return side{along: along, back: back, mu: mu, seen: make([]uint64, (n+63)/64), place: make([]uint32, n)}
}

func (s *side) start(v uint32) {
	for _, u := range s.order {
		s.seen[u>>6] = 0
	}
	s.order, s.paths = append(s.order[:0], v), append(s.paths[:0], 1)
	s.levels, s.down = append(s.levels[:0], 0, 1), append(s.down[:0], 0)
	s.seen[v>>6] = 1 << (v & 63)
	s.place[v] = 0
	s.arcs = s.along.Offsets[v+1] - s.along.Offsets[v]
}

// depth is the number of the last level; the end is level 0.
func (s *side) depth() int { return len(s.levels) - 2 }

// level is where level l lies in order.
func (s *side) level(l int) (from, to int) { return int(s.levels[l]), int(s.levels[l+1]) }

// advance finds the next level and gives its size.
func (s *side) advance() int {
	from, to := s.level(s.depth())
	room := to + int(min(s.arcs, int64(len(s.place)-to)))
	if room > min(cap(s.order), cap(s.paths)) {
		s.order = append(make([]uint32, 0, 2*room), s.order...)
		s.paths = append(make([]float64, 0, 2*room), s.paths...)
	}
	order, paths := s.order[:room], s.paths[:room]
	offsets, targets, seen, place := s.along.Offsets, s.along.Targets, s.seen, s.place
	tail := to
	for p := from; p < to; p++ {
		u, count := order[p], paths[p]
		for _, v := range targets[offsets[u]:offsets[u+1]] {
			word, bit := &seen[v>>6], uint64(1)<<(v&63)
			if *word&bit == 0 {
				*word |= bit
				place[v] = uint32(tail)
				order[tail], paths[tail] = v, count
				tail++
			} else if q := int(place[v]); q >= to {
				paths[q] += count
			}
		}
	}
	s.order, s.paths = order[:tail], paths[:tail]
	s.levels = append(s.levels, int32(tail))
	s.arcs = 0
	most := 0.0
	for p := to; p < tail; p++ {
		v := order[p]
		s.arcs += offsets[v+1] - offsets[v]
		if s.mu != nil {
			paths[p] *= s.mu[v]
		}
		most = max(most, paths[p])
	}
	down := uint8(0)
	if most > largest {
		down = 1
		for p := to; p < tail; p++ {
			paths[p] *= scale
		}
	}
	s.down = append(s.down, down)
	return tail - to
}

// before draws the vertex before the one at place p of level l on a path from the
// end, evenly among all paths, and gives its place.
func (s *side) before(p, l int, r *random) int {
	from, to := s.level(l - 1)
	if to-from == 1 {
		return from
	}
	v := s.order[p]
	left := s.paths[p] * r.share()
	if s.mu != nil {
		left /= s.mu[v]
	}
	if s.down[l] > 0 {
		left /= scale
	}
	chosen := from
	for _, u := range s.back.Targets[s.back.Offsets[v]:s.back.Offsets[v+1]] {
		if s.seen[u>>6]>>(u&63)&1 == 0 {
			continue
		}
		if q := int(s.place[u]); q >= from && q < to {
			chosen = q
			left -= s.paths[q]
			if left < 0 {
				break
			}
		}
	}
	return chosen
}
