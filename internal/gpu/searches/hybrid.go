package searches

// edgeList is a call of kernels/hybrid.cl.
type edgeList struct {
	N, Arcs, Round, At                        uint32
	Tails, Ptr, Adj, Firsts, Lengths          Buffer
	Dist, Active, Offers, Marks, Paths, Fault Buffer
	Bases, Sizes, Queue, Starts               Buffer
}

// hybrid is queue, or scans all arcs as edge does and makes a list. It decides by
// how much the list has grown (A. McLaughlin, D. A. Bader, SC 2014, with their
// limits).
type hybrid struct{}

const (
	change = 768 // vertices: a list that grows or shrinks by more may change the method
	many   = 512 // vertices: a longer list is for edge
)

func (hybrid) forward(s *Search, r round) {
	whole := false
	if len(s.rounds) > 0 {
		whole = s.whole[len(s.whole)-1]
		before := int64(s.rounds[len(s.rounds)-1].vertices)
		if now := int64(r.vertices); now > before+change || now < before-change {
			whole = now > many
		}
	}
	s.whole = append(s.whole, whole)
	if !whole {
		queue{}.forward(s, r)
		return
	}
	arcs := len(s.graph.Targets)
	s.all(edgeList{N: uint32(s.graph.Vertices()), Arcs: uint32(arcs), Round: r.number, At: r.at}, arcs)
}

func (hybrid) backward(s *Search, r round) {
	if s.whole[r.number] {
		edge{}.backward(s, r)
	} else {
		queue{}.backward(s, r)
	}
}
