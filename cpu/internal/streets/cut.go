package streets

import (
	"cmp"
	"slices"

	"bcstage/cpu/internal/lengths"
	"bcstage/internal/nearest"
	"bcstage/preprocess"
)

// cutting makes the part of a block that the sources of a batch reach. Its memory is reused.
type cutting struct {
	queue nearest.Queue
	order []uint32 // junctions that are reached, the nearest first
	inner []uint32 // sources inside chains, by chain and place
	isCut []bool   // by arm: some source is inside
	links []link   // arcs of the part
	names []uint32 // by vertex of the part: vertex of the block
	at    []uint32 // by place of inside: vertex of the block
	own   []uint32 // by vertex of the block: number of an inner source in the part

	offsets, next, lengths []int64
	targets, sources       []uint32
	near                   []int64
	from, to, multiplicity []float64
	inside                 lengths.Inside
}

// link is an arc of a part.
type link struct {
	from, to uint32
	length   int64
}

// cut makes the part. Its vertices are the sources inside chains, then the junctions in the order of their distance from
// the nearest source.
func (s *Search) cut(b *preprocess.Block, sources []uint32) *preprocess.Block {
	s.find(sources)
	s.names, s.near, s.links, s.at = s.names[:0], s.near[:0], s.links[:0], s.at[:0]
	s.inside.Clear()
	for _, v := range s.inner {
		s.own[v] = s.name(v, 0)
	}
	for _, j := range s.order {
		x := &s.nodes[j]
		x.local = s.name(x.vertex, int64(x.distance))
	}
	s.cutChains()
	s.wholeChains()
	part := &preprocess.Block{Lanes: b.Lanes, Cutoff: b.Cutoff, Reaches: preprocess.Reaches{}}
	part.Near = s.near
	s.arcs(part)
	s.from = pick(s.from, b.From, s.names)
	part.From, part.To = s.from, s.from
	if !b.OneMass() {
		s.to = pick(s.to, b.To, s.names)
		part.To = s.to
	}
	if b.Multiplicity != nil {
		s.multiplicity = pick(s.multiplicity, b.Multiplicity, s.names)
		part.Multiplicity = s.multiplicity
	}
	s.sources = s.sources[:0]
	for _, v := range sources {
		if p := s.places[v]; p.at == 0 {
			s.sources = append(s.sources, s.nodes[p.arms[0]].local)
		} else {
			s.sources = append(s.sources, s.own[v])
		}
	}
	part.Sources = s.sources
	s.inside.Close(b.To, s.at)
	s.clean()
	return part
}

// name gives a vertex the next number in the part.
func (s *Search) name(v uint32, near int64) uint32 {
	s.names, s.near = append(s.names, v), append(s.near, near)
	return uint32(len(s.names) - 1)
}

// find finds the junctions that the sources reach, and the sources inside chains.
func (s *Search) find(sources []uint32) {
	s.order, s.inner = s.order[:0], s.inner[:0]
	for _, v := range sources {
		p := s.places[v]
		if p.at == 0 {
			s.reach(p.arms[0], 0)
			continue
		}
		s.inner = append(s.inner, v)
		for _, i := range p.arms {
			if i == none {
				break
			}
			y := &s.arms.arms[i]
			s.isCut[i] = true
			at := p.at
			if i != p.arms[0] {
				at = y.inside + 1 - at
			}
			s.reach(s.junctionOf(y), s.slots[y.slot+at].position)
		}
	}
	slices.SortFunc(s.inner, func(u, v uint32) int {
		p, q := &s.places[u], &s.places[v]
		if p.arms[0] != q.arms[0] {
			return cmp.Compare(p.arms[0], q.arms[0])
		}
		return cmp.Compare(p.at, q.at)
	})
	for len(s.queue) > 0 {
		next := s.queue.Pop()
		distance, j := next.Distance, next.Vertex
		x := &s.nodes[j]
		if int64(x.distance) != distance {
			continue // it was reached again, by a shorter path
		}
		s.order = append(s.order, j)
		for _, y := range s.arms.arms[x.first:s.nodes[j+1].first] {
			if y.length <= int64(s.cutoff) {
				s.reach(y.to, distance+y.length)
			}
		}
	}
}

// reach offers a junction a path of some length.
func (s *Search) reach(j uint32, distance int64) {
	if x := &s.nodes[j]; distance <= int64(s.cutoff) && distance < int64(x.distance) {
		x.distance = uint32(distance)
		s.queue.Push(distance, j)
	}
}

// clean forgets the junctions that were reached.
func (s *Search) clean() {
	for _, j := range s.order {
		s.nodes[j].distance = unreached
	}
	for _, v := range s.inner {
		for _, i := range s.places[v].arms {
			if i != none {
				s.isCut[i] = false
			}
		}
	}
}

// local returns the number of a junction in the part, none if it is not reached.
func (s *Search) local(j uint32) uint32 {
	if x := &s.nodes[j]; x.distance != unreached {
		return x.local
	}
	return none
}

// wholeChains takes the chains of all junctions that no source cuts.
func (s *Search) wholeChains() {
	for _, j := range s.order {
		x := &s.nodes[j]
		for i := x.first; i < s.nodes[j+1].first; i++ {
			y := &s.arms.arms[i]
			if s.isCut[i] {
				continue
			}
			to := s.local(y.to)
			if to != none && y.to != j && y.length <= int64(s.cutoff) {
				s.links = append(s.links, link{x.local, to, y.length})
			}
			if y.inside > 0 && (to == none || y.first) {
				s.enclose(x.local, to, s.slotsOf(y), 0, int(y.inside)+1, y.length)
			}
		}
	}
}

// cutChains takes the pieces of the chains that sources cut.
func (s *Search) cutChains() {
	for first, end := 0, 0; first < len(s.inner); first = end {
		i := s.places[s.inner[first]].arms[0]
		y := &s.arms.arms[i]
		slots := s.slotsOf(y)
		before, at := s.local(s.junctionOf(y)), 0
		for end = first; end < len(s.inner) && s.places[s.inner[end]].arms[0] == i; end++ {
			v := s.inner[end]
			own, next := s.own[v], int(s.places[v].at)
			if before == none {
				s.enclose(own, none, slots, next, 0, endless)
			} else {
				s.piece(before, own, slots, at, next, slots[next].position-slots[at].position)
			}
			before, at = own, next
		}
		if after := s.local(y.to); after == none {
			s.enclose(before, none, slots, at, len(slots), endless)
		} else {
			s.piece(before, after, slots, at, len(slots), y.length-slots[at].position)
		}
	}
}

// piece takes a piece of a chain between two vertices of the part.
func (s *Search) piece(from, to uint32, slots []slot, first, end int, length int64) {
	if length <= int64(s.cutoff) {
		s.links = append(s.links, link{from, to, length}, link{to, from, length})
	}
	s.enclose(from, to, slots, first, end, length)
}

// enclose notes the places between slots first and end, in this order or the reverse one.
func (s *Search) enclose(from, to uint32, slots []slot, first, end int, length int64) {
	step := 1
	if end < first {
		step = -1
	}
	if first+step == end {
		return
	}
	s.at = append(s.at, none)
	s.inside.Open(from, to, int32(min(length, lengths.Longest)))
	for i := first + step; i != end; i += step {
		position, most := max(slots[i].position-slots[first].position, slots[first].position-slots[i].position), int64(s.cutoff)
		if position > most {
			if length-position > most {
				continue // no path gets there
			}
			position += min(length, lengths.Longest) - length
		}
		s.inside.Add(int32(position))
		s.at = append(s.at, slots[i].vertex)
	}
}

// arcs sorts the arcs of a part by their first ends.
func (s *Search) arcs(part *preprocess.Block) {
	n := len(s.names)
	s.offsets = append(s.offsets[:0], make([]int64, n+1)...)
	for _, l := range s.links {
		s.offsets[l.from+1]++
	}
	for v := range n {
		s.offsets[v+1] += s.offsets[v]
	}
	s.next = append(s.next[:0], s.offsets[:n]...)
	s.targets = slices.Grow(s.targets[:0], len(s.links))[:len(s.links)]
	s.lengths = slices.Grow(s.lengths[:0], len(s.links))[:len(s.links)]
	for _, l := range s.links {
		at := s.next[l.from]
		s.targets[at], s.lengths[at] = l.to, l.length
		s.next[l.from]++
	}
	part.Offsets, part.Targets, part.Lengths = s.offsets, s.targets, s.lengths
}

// pick returns the elements of some vertices, in memory that is reused.
func pick(memory, of []float64, vertices []uint32) []float64 {
	memory = memory[:0]
	for _, v := range vertices {
		memory = append(memory, of[v])
	}
	return memory
}
