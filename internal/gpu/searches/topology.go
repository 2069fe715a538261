package searches

// Calls of kernels/topology.cl.
type (
	settleAll struct {
		N, Round             uint32
		Offers, Dist, Active Buffer
	}
	vertexStep struct {
		N, Round, At                    uint32
		Ptr, Adj, Lengths, Dist, Active Buffer
		Offers, Marks, Paths, Fault     Buffer
		Sizes                           Buffer
	}
	edgeStep struct {
		Arcs, Round, At                   uint32
		Tails, Adj, Lengths, Dist, Active Buffer
		Offers, Marks, Paths, Fault       Buffer
		Sizes                             Buffer
	}
	vertexBack struct {
		N, Level                     uint32
		Ptr, Adj, Dist, Shares, Sums Buffer
	}
	edgeBack struct {
		Arcs, Level                    uint32
		Tails, Adj, Dist, Shares, Sums Buffer
	}
	closeAll struct {
		N, Level                  uint32
		Dist, Paths, Sums, Shares Buffer
	}
)

// vertex has a work-item per vertex, which checks in every round whether the vertex
// is at hand (Y. Jia et al., "Edge v. node parallelism for graph centrality
// metrics", GPU Computing Gems, Jade Edition, 2011).
type vertex struct{}

func (vertex) forward(s *Search, r round) {
	n := s.graph.Vertices()
	s.all(vertexStep{N: uint32(n), Round: r.number, At: r.at}, n)
}

func (vertex) backward(s *Search, r round) {
	n := s.graph.Vertices()
	s.all(vertexBack{N: uint32(n), Level: r.number}, n)
}

// edge has a work-item per arc, which checks in every round whether the vertex that
// it leaves is at hand (the same paper).
type edge struct{}

func (edge) forward(s *Search, r round) {
	arcs := len(s.graph.Targets)
	s.all(edgeStep{Arcs: uint32(arcs), Round: r.number, At: r.at}, arcs)
}

func (edge) backward(s *Search, r round) {
	arcs := len(s.graph.Targets)
	s.all(edgeBack{Arcs: uint32(arcs), Level: r.number}, arcs)
}
