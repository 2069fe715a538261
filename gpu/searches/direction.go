package searches

// Calls of kernels/direction.cl.
type (
	bottomUp struct {
		N, Round, At               uint32
		InPtr, InAdj, Ptr, Firsts  Buffer
		Dist, Offers, Bases, Sizes Buffer
		Queue, Starts              Buffer
	}
	edgeList struct {
		N, Arcs, Round, At                        uint32
		Tails, Ptr, Adj, Firsts, Lengths          Buffer
		Dist, Active, Offers, Marks, Paths, Fault Buffer
		Bases, Sizes, Queue, Starts               Buffer
	}
)

// direction is queue, but for rounds that many arcs leave: there, a work-item per
// vertex without a distance looks for one that leads to it, and stops at the first
// (S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search",
// SC 2012, with their limits). Of several ways to a vertex it finds one: bfs only.
type direction struct{ queue }

const (
	upward   = 14 // from when on: more arcs leave the list than one in so many of those of vertices not yet at hand
	downward = 24 // until when: fewer vertices than one in so many of all
)

func (direction) solves(p Problem) bool { return p == BFS }
func (direction) looks() bool           { return true }

func (direction) forward(s *Search, r round) error {
	n := s.graph.Vertices()
	left := int64(len(s.graph.Targets)) - int64(r.arcs)
	for _, before := range s.rounds {
		left -= int64(before.arcs)
	}
	up := int64(r.arcs) > left/upward
	if len(s.whole) > 0 && s.whole[len(s.whole)-1] {
		up = int(r.vertices) >= n/downward
	}
	s.whole = append(s.whole, up)
	if up {
		return s.all(bottomUp{N: uint32(n), Round: r.number, At: r.at}, n)
	}
	return queue{}.forward(s, r)
}

// hybrid is queue, or a list made by all arcs as in edge, by how much the list has
// grown (A. McLaughlin, D. A. Bader, SC 2014, with their limits).
type hybrid struct{ queue }

const (
	change = 768 // vertices: a list that differs by more from the one before may change the way
	many   = 512 // vertices: a list of more is for edge
)

func (hybrid) looks() bool { return true }

func (hybrid) forward(s *Search, r round) error {
	whole := false
	if len(s.rounds) > 0 {
		whole = s.whole[len(s.whole)-1]
		before := int64(s.rounds[len(s.rounds)-1].vertices)
		if now := int64(r.vertices); now > before+change || now < before-change {
			whole = now > many
		}
	}
	s.whole = append(s.whole, whole)
	if whole {
		arcs := len(s.graph.Targets)
		return s.all(edgeList{N: uint32(s.graph.Vertices()), Arcs: uint32(arcs), Round: r.number, At: r.at}, arcs)
	}
	return queue{}.forward(s, r)
}

func (hybrid) backward(s *Search, r round) error {
	if s.whole[r.number] {
		return edge{}.backward(s, r)
	}
	return queue{}.backward(s, r)
}
