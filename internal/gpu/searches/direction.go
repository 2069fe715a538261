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

// direction is workload, except in rounds that many arcs leave. There a work-item per
// vertex without a distance looks for a predecessor in the frontier, and stops at the
// first (S. Beamer, K. Asanovic, D. Patterson, "Direction-optimizing breadth-first
// search", SC 2012, with their limits). Vertices are numbered by degree, so that hubs
// are looked at first, which enter the frontier soonest. The device goes from round to
// round by itself (driven.go). It finds one of several predecessors of a vertex: bfs
// only.
type direction struct{ driving }

// When rounds change direction: see kernels/direction.cl.
const (
	upward   = 14
	downward = 24
)

// own returns the number of arcs that leave vertices not yet at hand.
func (direction) own(s *Search) uint32 { return uint32(len(s.graph.Targets)) }

func (direction) crew(s *Search) {
	s.crewed(crew{N: uint32(s.order.joined), Upward: upward, Downward: downward})
}

func (direction) wide(s *Search) {
	n, whole := s.order.joined, uint32(s.order.joined)
	s.all(arrive{N: whole}, n)
	s.all(wideStep{N: whole}, len(s.graph.Targets))
}
