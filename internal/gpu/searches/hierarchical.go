package searches

// Calls of kernels/hierarchical.cl.
type (
	partExpand struct {
		Most, Skip, First, Count       uint32
		Entries, Ptr, List, More, Rest Buffer
	}
	partRest struct {
		Skip, Count                uint32
		Entries, Ptr, Begins, Rest Buffer
	}
)

// hierarchical processes a round in sub-rounds. In each, every vertex gives at most a
// limited number of arcs; those with more are the next sub-round's. When at most as
// many are left as a work-group has work-items, their arcs are shared out as by
// workload (hierarchical processing, HP: A. Raval et al., 2017). The limit is split's.
type hierarchical struct{}

func (hierarchical) forward(s *Search, r round) {
	call := contract{N: uint32(s.graph.Vertices()), Most: none, Round: r.number, At: r.at, Counts: s.buffer("Rest")}
	s.parting(r, call, func(l lot) { s.shareOut(l, r, int(l.arcs)) })
}

func (hierarchical) backward(s *Search, r round) {
	s.parting(r, listBack{Level: r.number, Counts: s.buffer("Rest")}, func(l lot) { s.shareBack(l, r) })
}

// parting takes a round's vertices in sub-rounds: the call `listed` continues with the arcs in
// List, `last` with a lot of few vertices.
func (s *Search) parting(r round, listed any, last func(lot)) {
	l := s.lotOf(r)
	begins, zero, rest, more, other := s.buffer("Begins"), s.buffer("Zero"), s.buffer("Rest"), s.buffer("More"), s.buffer("EvenMore")
	most := uint32(s.most)
	for l.count > uint32(s.of.group) {
		s.launch(fill{2, 0, rest}, 1)
		s.all(partExpand{Most: most, Skip: l.skip, First: l.from, Count: l.count, Entries: l.entries, More: more}, int(l.count))
		s.all(listed, int(min(uint64(l.arcs), uint64(l.count)*uint64(most))))
		var found [1]uint64
		s.read("Rest", bytesOf(found[:]))
		l = lot{entries: more, begins: begins, places: zero, counts: rest, skip: l.skip + most, count: uint32(found[0] >> 32), arcs: l.arcs - uint32(found[0])}
		more, other = other, more
	}
	if l.count == 0 {
		return
	}
	if l.skip > 0 {
		s.launch(fill{2, 0, rest}, 1)
		s.launch(partRest{Skip: l.skip, Count: l.count, Entries: l.entries, Begins: begins}, 1)
	}
	last(l)
}
