package searches

// arcsStep is a call of kernels/arcs.cl.
type arcsStep struct {
	N, Round, At  uint32
	List, Origins Buffer
	listing
	Next Buffer
}

// arcs keeps the frontier as a list of arcs, with a work-item for each. Who finds a
// vertex puts its arcs into the next list, for which a work-group reserves room at
// once (edge-based with work-chunking, EP: A. Raval et al., 2017). The backward pass
// lists a level's arcs again.
type arcs struct{}

func (arcs) forward(s *Search, r round) {
	list, next := s.buffer("List"), s.buffer("NextList")
	if r.number == 0 {
		s.all(expand{N: uint32(s.graph.Vertices()), Most: none}, 1)
	}
	if r.number%2 == 1 {
		list, next = next, list
	}
	s.all(arcsStep{N: uint32(s.graph.Vertices()), Round: r.number, At: r.at, List: list, Next: next}, len(s.graph.Targets))
}

func (arcs) backward(s *Search, r round) {
	s.all(expand{N: uint32(s.graph.Vertices()), Most: none, At: r.at}, int(r.vertices))
	s.all(listBack{Level: r.number, Which: r.at, Counts: s.buffer("Sizes")}, int(r.arcs))
}
