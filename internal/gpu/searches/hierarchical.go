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

func (hierarchical) forward(s *Search, r round) error {
	rest, err := s.buffer("Rest")
	if err != nil {
		return err
	}
	listed := func(arcs int) error {
		return s.all(contract{N: uint32(s.graph.Vertices()), Most: none, Round: r.number, At: r.at, Counts: rest}, arcs)
	}
	return s.parting(r, listed, func(l lot) error { return s.shareOut(l, r, int(l.arcs)) })
}

func (hierarchical) backward(s *Search, r round) error {
	rest, err := s.buffer("Rest")
	if err != nil {
		return err
	}
	listed := func(arcs int) error { return s.all(listBack{Level: r.number, Counts: rest}, arcs) }
	return s.parting(r, listed, func(l lot) error { return s.shareBack(l, r) })
}

// parting takes a round's vertices in sub-rounds: `listed` continues with the arcs in
// List, `last` with a lot of few vertices.
func (s *Search) parting(r round, listed func(arcs int) error, last func(lot) error) error {
	l, err := s.lotOf(r)
	if err != nil {
		return err
	}
	var begins, zero, rest, more, other Buffer
	if err := s.take(wanted{"Begins", &begins}, wanted{"Zero", &zero}, wanted{"Rest", &rest}, wanted{"More", &more}, wanted{"EvenMore", &other}); err != nil {
		return err
	}
	most := uint32(s.most)
	for l.count > uint32(s.of.group) {
		if err := s.launch(fill{2, 0, rest}, 1); err != nil {
			return err
		}
		call := partExpand{Most: most, Skip: l.skip, First: l.from, Count: l.count, Entries: l.entries, More: more}
		if err := s.all(call, int(l.count)); err != nil {
			return err
		}
		if err := listed(int(min(uint64(l.arcs), uint64(l.count)*uint64(most)))); err != nil {
			return err
		}
		var found [1]uint64
		if err := s.read("Rest", bytesOf(found[:])); err != nil {
			return err
		}
		l = lot{entries: more, begins: begins, places: zero, counts: rest, skip: l.skip + most, count: uint32(found[0] >> 32), arcs: l.arcs - uint32(found[0])}
		more, other = other, more
	}
	if l.count == 0 {
		return nil
	}
	if l.skip > 0 {
		if err := s.launch(fill{2, 0, rest}, 1); err != nil {
			return err
		}
		if err := s.launch(partRest{Skip: l.skip, Count: l.count, Entries: l.entries, Begins: begins}, 1); err != nil {
			return err
		}
	}
	return last(l)
}
