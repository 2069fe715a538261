package searches

// Calls of kernels/near.cl.
type (
	nearCrew struct {
		N, Stride                           uint32
		Ptr, Adj, Lengths, Offers           Buffer
		Dist, Marks, Far, Pile, Piled       Buffer
		Lowest, Queue, Starts, Bases, Sizes Buffer
		Progress, Fault                     Buffer
	}
	nearArrive struct {
		N                         uint32
		Offers, Dist, Queue, Pile Buffer
		Piled, Lowest, Progress   Buffer
	}
	nearStep struct {
		N, Stride                           uint32
		Ptr, Adj, Lengths, Dist             Buffer
		Offers, Marks, Far, Pile, Piled     Buffer
		Lowest, Bases, Sizes, Queue, Starts Buffer
		Progress, Fault                     Buffer
	}
)

// near is workload for shortest paths, with offers above a limit deferred until nothing
// below it is left. Most of them are then final, and go along their arcs once ("near-far":
// A. Davidson, S. Baxter, M. Garland, J. D. Owens, "Work-efficient parallel GPU methods
// for single-source shortest paths", IPDPS 2014, after Meyer and Sanders' delta-stepping).
// The device goes from round to round by itself (driven.go).
type near struct{ driving }

// together is the step by which the limit rises, in mean lengths by mean degree: Davidson
// et al. have the width of a warp.
const together = 32

// own returns the first limit.
func (near) own(s *Search) uint32 { return s.stride() }

func (near) crew(s *Search) {
	s.crewed(nearCrew{N: uint32(s.graph.Vertices()), Stride: s.stride()})
}

func (near) wide(s *Search) {
	n, whole := s.graph.Vertices(), uint32(s.graph.Vertices())
	s.all(nearArrive{N: whole}, n)
	s.all(nearStep{N: whole, Stride: s.stride()}, len(s.graph.Targets))
}

// stride returns the step by which the limit rises: at least 1.
func (s *Search) stride() uint32 {
	if s.rise == 0 {
		sum, arcs := 0.0, float64(max(len(s.graph.Targets), 1))
		for e := range s.graph.Targets {
			if !s.graph.HasLengths() {
				sum++
			} else {
				sum += float64(s.graph.Lengths[e])
			}
		}
		rise := together * (sum / arcs) * float64(s.graph.Vertices()) / arcs
		s.rise = uint32(min(max(rise, 1), none-1))
	}
	return s.rise
}
