package searches

// Calls of kernels/direction.cl.
type (
	crew struct {
		N, Upward, Downward               uint32
		Ptr, Adj, Offers, Dist            Buffer
		Queue, Starts, Bases, Sizes, Lots Buffer
		Progress                          Buffer
	}
	arrive struct {
		N                                uint32
		Ptr, Offers, Dist, Queue, Starts Buffer
		Lots, Progress, Bits, Seen       Buffer
	}
	wideStep struct {
		N                                uint32
		Ptr, Adj, InPtr, InAdj, Firsts   Buffer
		Dist, Offers, Bases, Lots        Buffer
		Sizes, Queue, Starts, Bits, Seen Buffer
		Progress                         Buffer
	}
)

// direction is workload, but for rounds that many arcs leave: there, a work-item per
// vertex without a distance looks for one that leads to it, and stops at the first
// (S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first search",
// SC 2012, with their limits). Vertices are numbered by degree, so that the first to be
// asked are hubs, which are at hand soonest. The device goes from round to round by
// itself (driven.go). Of several ways to a vertex it finds one: bfs only.
type direction struct{ driving }

// When rounds change: see kernels/direction.cl.
const (
	upward   = 14
	downward = 24
)

func (direction) solves(p Problem) bool { return p == BFS }
func (direction) byDegree()             {}

// own is how many arcs leave vertices that are not yet at hand.
func (direction) own(s *Search) uint32 { return uint32(len(s.graph.Targets)) }

func (direction) crew(s *Search) error {
	return s.crewed(crew{N: uint32(s.order.joined), Upward: upward, Downward: downward})
}

func (direction) wide(s *Search) error {
	n, whole := s.order.joined, uint32(s.order.joined)
	if err := s.all(arrive{N: whole}, n); err != nil {
		return err
	}
	return s.all(wideStep{N: whole}, len(s.graph.Targets))
}
