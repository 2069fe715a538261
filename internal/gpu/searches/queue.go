package searches

// Calls of kernels/queue.cl.
type (
	settle struct {
		N, Round, At, Other  uint32
		Offers, Dist, Active Buffer
		Queue, Bases, Sizes  Buffer
		Map                  Buffer
	}
	expand struct {
		N, Most, At   uint32
		Ptr, Map, Off Buffer
		Queue, Starts Buffer
		Bases, Sizes  Buffer
		List          Buffer
	}
	contract struct {
		N, Most, Round, At, Which uint32
		List, Counts, Origins     Buffer
		listing
	}
	queueBack struct {
		N, Most, Level, First, Count uint32
		Ptr, Map, Off, Adj           Buffer
		Queue, Dist, Shares, Sums    Buffer
	}
	listBack struct {
		Level, Which               uint32
		List, Counts, Origins, Adj Buffer
		Dist, Shares, Sums         Buffer
	}
	closeList struct {
		N, First, Count     uint32
		Queue, Map          Buffer
		Paths, Sums, Shares Buffer
	}
)

// listing has the graph, the memory of along (STATE in kernels/common.cl), and the list to which new ends go.
type listing struct {
	Ptr, Adj, Firsts, Lengths  Buffer
	Dist, Offers, Marks, Paths Buffer
	Fault, Bases, Sizes        Buffer
	Queue, Starts              Buffer
}

// queue keeps the vertices at hand in a list. A work-item per vertex lists its arcs.
// Then a work-item per arc goes along it, and prefix sums contract the new ends to the
// next list (D. Merrill, M. Garland, A. Grimshaw, "Scalable GPU graph traversal", PPoPP
// 2012). Later papers call it "node-based", BS, and balance it better.
type queue struct{}

func (queue) forward(s *Search, r round) {
	n, arcs := s.graph.Vertices(), len(s.graph.Targets)
	s.all(expand{N: uint32(n), Most: none, At: r.at}, n)
	s.contract(r, none, arcs)
}

func (queue) backward(s *Search, r round) {
	s.all(queueBack{N: uint32(s.graph.Vertices()), Most: none, Level: r.number, First: r.first, Count: r.vertices}, int(r.vertices))
}

// contract goes along the arcs of List, as many as leave the round.
func (s *Search) contract(r round, most uint32, arcs int) {
	s.all(contract{N: uint32(s.graph.Vertices()), Most: most, Round: r.number, At: r.at, Which: r.at, Counts: s.buffer("Sizes")}, arcs)
}

// split is queue with vertices of many arcs in parts, each of which is at hand by
// itself (node splitting, NS: A. Raval et al., "Dynamic load balancing strategies for
// graph applications on GPUs", 2017). The parts' arcs are interleaved. The degrees
// determine the number of arcs above which a vertex is split: see csr.Stride.
type split struct{}

func (split) forward(s *Search, r round) {
	n, arcs, most := s.graph.Vertices(), len(s.graph.Targets), uint32(s.most)
	s.all(expand{N: uint32(n), Most: most, At: r.at}, s.entries())
	s.contract(r, most, arcs)
}

func (split) backward(s *Search, r round) {
	s.all(queueBack{N: uint32(s.graph.Vertices()), Most: uint32(s.most), Level: r.number, First: r.first, Count: r.vertices}, int(r.vertices))
}
