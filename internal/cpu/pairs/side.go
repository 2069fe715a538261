package pairs

import (
	"iter"
	"slices"
	"sort"

	"bcstage/internal/csr"
)

// side is the search from one end of a pair, level by level. The first level is the end's
// row in place: most pairs meet before more is needed. Only touched memory is cleared for
// the next pair.
type side struct {
	along *csr.Graph // arcs away from the end
	back  *csr.Graph // the same arcs towards it
	mu    []float64  // multiplicities; nil: all 1

	levels []int // where each level begins in order, and the end of the last
	arcs   int64 // that leave the last level, approximately
	first  []uint32
	sums   []float64 // prefix sums of the path counts of the last level, where needed
	shares []float64 // by place: the share of a pair's paths that pass the vertex, for differences

	// The data of the vertices found so far, for a second level or for look-ups.
	laid  bool
	seen  []uint64  // a bit per vertex
	place places    // in order, of the seen vertices
	order []uint32  // vertices as found, level by level. The end is always there
	paths []float64 // parallel to order: shortest paths from the end, each vertex counted by its multiplicity; of level l in units of scale^down[l]
	down  []uint8   // by level
}

// Path counts of a level that exceed half the exponents of a float64 are all scaled down by
// this factor. Choices are made within levels, so only ratios count. Products of two sides
// stay in range.
const (
	largest = 0x1p400
	scale   = 0x1p-400
)

func newSide(along, back *csr.Graph, mu []float64) side {
	n := along.Vertices()
	return side{along: along, back: back, mu: mu, seen: make([]uint64, (n+63)/64), place: newPlaces(n)}
}

func (s *side) start(v uint32) {
	s.clear()
	s.order = append(s.order[:0], v)
	s.levels, s.down = append(s.levels[:0], 0, 1), append(s.down[:0], 0)
	s.arcs = arcsOf(s.along.Offsets, s.order)
}

// depth is the number of the last level; the end is level 0.
func (s *side) depth() int { return len(s.levels) - 2 }

// level returns the range of level l in order.
func (s *side) level(l int) (from, to int) { return s.levels[l], s.levels[l+1] }

// last returns the vertices of the last level; those of the first level are sorted.
func (s *side) last() []uint32 {
	if s.depth() == 1 {
		return s.first
	}
	return s.order[s.levels[s.depth()]:]
}

// number returns the position of a vertex in the last level.
func (s *side) number(v uint32) int {
	if s.laid {
		return int(s.place.of(v)) - s.levels[s.depth()]
	}
	i, _ := slices.BinarySearch(s.last(), v)
	return i
}

// count returns the number of paths to a vertex of the last level, by its position.
func (s *side) count(i int) float64 {
	switch {
	case s.depth() > 1:
		return s.paths[s.levels[s.depth()]+i]
	case s.depth() == 1 && s.mu != nil:
		return s.mu[s.first[i]]
	}
	return 1
}

// sum prepares the last level for pick.
func (s *side) sum() {
	s.sums = s.sums[:0]
	if s.depth() == 0 || s.depth() == 1 && s.mu == nil {
		return
	}
	sum := 0.0
	for i := range s.last() {
		sum += s.count(i)
		s.sums = append(s.sums, sum)
	}
}

// pick draws a vertex of the last level by its number of paths, and returns its position.
func (s *side) pick(r *random) int {
	if len(s.sums) == 0 {
		return int(r.below(uint64(len(s.last()))))
	}
	last := len(s.sums) - 1
	at := s.sums[last] * r.share()
	return sort.Search(last, func(i int) bool { return s.sums[i] > at })
}

// arcsOf returns about the number of arcs that leave the vertices. Of many, it samples 64,
// since reading all takes long, and the number only decides which side to continue.
func arcsOf(offsets []int64, vertices []uint32) (arcs int64) {
	const some = 64
	if len(vertices) <= some {
		for _, v := range vertices {
			arcs += offsets[v+1] - offsets[v]
		}
		return arcs
	}
	for i := range some {
		v := vertices[i*len(vertices)/some]
		arcs += offsets[v+1] - offsets[v]
	}
	return arcs * int64(len(vertices)) / some
}

// clear removes all vertices from the memory of lay.
func (s *side) clear() {
	if s.laid {
		for _, v := range s.order {
			s.seen[v>>6] = 0
		}
		s.place.clear()
		s.laid = false
	}
}

// lay puts the vertices found so far where they can be looked up.
func (s *side) lay() {
	if s.laid {
		return
	}
	s.laid = true
	s.paths = append(s.paths[:0], 1)
	if s.depth() == 1 {
		s.order = append(s.order, s.first...)
		for i := range s.first {
			s.paths = append(s.paths, s.count(i))
		}
	}
	for p, v := range s.order {
		s.seen[v>>6] |= 1 << (v & 63)
		s.place.set(v, s.order[:p])
	}
}

// advance finds the next level and returns its size.
func (s *side) advance() int {
	if s.depth() == 0 {
		s.clear() // the first level is not laid
		s.first = s.along.Neighbours(s.order[0])
		s.levels, s.down = append(s.levels, 1+len(s.first)), append(s.down, 0)
		s.arcs = arcsOf(s.along.Offsets, s.first)
		return len(s.first)
	}
	s.lay()
	from, to := s.level(s.depth())
	offsets, targets, seen, place := s.along.Offsets, s.along.Targets, s.seen, &s.place
	room := 0
	for _, v := range s.order[from:to] {
		room += int(offsets[v+1] - offsets[v])
	}
	room = min(room, s.along.Vertices()-to)
	order, paths := slices.Grow(s.order, room)[:to+room], slices.Grow(s.paths, room)[:to+room]
	tail := to
	for p := from; p < to; p++ {
		u, count := order[p], paths[p]
		for _, v := range targets[offsets[u]:offsets[u+1]] {
			word, bit := &seen[v>>6], uint64(1)<<(v&63)
			if *word&bit == 0 {
				*word |= bit
				place.set(v, order[:tail])
				order[tail], paths[tail] = v, count
				tail++
			} else if q := int(place.of(v)); q >= to {
				paths[q] += count
			}
		}
	}
	s.order, s.paths = order[:tail], paths[:tail]
	level, paths := order[to:tail], paths[to:tail]
	s.levels = append(s.levels, len(s.order))
	s.arcs = arcsOf(offsets, level)
	most := 0.0
	for i, v := range level {
		if s.mu != nil {
			paths[i] *= s.mu[v]
		}
		most = max(most, paths[i])
	}
	down := uint8(0)
	if most > largest {
		down = 1
		for i := range paths {
			paths[i] *= scale
		}
	}
	s.down = append(s.down, down)
	return len(level)
}

// before draws the predecessor of the vertex at place p of level l on a path from the end,
// uniformly among all paths, and returns its place.
func (s *side) before(p, l int, r *random) int {
	from, to := s.level(l - 1)
	if to-from == 1 {
		return from
	}
	left, chosen := s.through(p, l)*r.share(), from
	for q := range s.predecessors(p, l) {
		chosen = q
		if left -= s.paths[q]; left < 0 {
			break
		}
	}
	return chosen
}

// through is the sum of the path counts of the predecessors of the vertex at place p of level l.
func (s *side) through(p, l int) float64 {
	sum := s.paths[p]
	if s.mu != nil {
		sum /= s.mu[s.order[p]]
	}
	if s.down[l] > 0 {
		sum /= scale
	}
	return sum
}

// predecessors yields the places of the vertices of level l-1 that lead to the vertex at place p of level l.
func (s *side) predecessors(p, l int) iter.Seq[int] {
	from, to := s.level(l - 1)
	row := s.back.Neighbours(s.order[p])
	return func(yield func(q int) bool) {
		if to-from < len(row) && perStep*searchSteps(len(row), to-from) < len(row) {
			more := true
			eachIn(row, s.order[from:to], func(i int) { more = more && yield(from+i) })
			return
		}
		for _, u := range row {
			if s.seen[u>>6]>>(u&63)&1 == 0 {
				continue
			}
			if q := int(s.place.of(u)); q >= from && q < to && !yield(q) {
				return
			}
		}
	}
}
