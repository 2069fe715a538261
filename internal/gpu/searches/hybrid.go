package searches

// edgeList is a call of kernels/hybrid.cl.
type edgeList struct {
	N, Arcs, Round, At                        uint32
	Tails, Ptr, Adj, Firsts, Lengths          Buffer
	Dist, Active, Offers, Marks, Paths, Fault Buffer
	Bases, Sizes, Queue, Starts               Buffer
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
