package dial

// flows are those of a batch, and both sides of their check.
type flows struct {
	over      []float64 // by edge of the block
	got, want float64   // see preprocess.Flows
}

// flow adds up the flows of a source, which sends some mass, and both sides of their check. Links do not say which arcs they
// are. So all arcs of the vertices that were met are looked at again. In place of the links it lists the arcs that are some.
func (s *Search) flow(source uint32, mass float64) {
	b, sums, unit := s.block, s.sums, float64(s.unit)
	s.paths[source] = 1
	got, want := 0.0, 0.0
	for v, d := range s.distance[:len(sums)] {
		if d != s.unmet && d > 0 {
			want += float64(sums[v].own * s.paths[v] * float64(d)) // the conversions keep arm64 from fusing
		}
	}
	after, before := s.after, s.before
	for i, at := range after[:s.linked()] {
		c, arc, v := &s.chunks[at], before[i]%chunkArcs, s.owners[at]
		u := c.targets[arc]
		flow := float64(mass * s.paths[v] * (sums[u].behind + sums[u].own))
		s.flows.over[b.Flows.Of[b.Offsets[v]+int64(at-s.firsts[v])*chunkArcs+int64(arc)]] += flow
		got += float64(flow * float64(c.lengths[arc]))
	}
	s.paths[source] = 0
	s.flows.got += got * unit
	s.flows.want += float64(mass * want * unit)
}

// linked lists the arcs of all shortest paths: chunks in after, places in these in before. It returns how many there are. Which
// arcs they are follows no pattern, so that no branch depends on it: every arc is listed, and the next one replaces a wrong one.
func (s *Search) linked() (arcs int) {
	after, before, distance, unmet := s.after, s.before[:len(s.after)], s.distance, s.unmet
	owners := s.owners[:len(s.chunks)]
	for at := range s.chunks {
		d, c := distance[owners[at]], &s.chunks[at]
		if d == unmet {
			continue
		}
		for i := range c.targets {
			far := d + c.lengths[i]
			after[arcs], before[arcs] = uint32(at), uint32(i)
			arcs += int(((far ^ distance[c.targets[i]]) - 1) & (far - unmet) >> 31)
		}
	}
	return arcs
}
