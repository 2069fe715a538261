package lengths

import (
	"context"
	"math/bits"

	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// flows is the state for flows beside the frame. The backward sweep overwrites path counts, so the frame keeps a copy.
// Flows over the links are added up afterwards, in one pass.
type flows struct {
	over      []float64 // by edge of the block
	got, want float64   // see preprocess.Flows
}

// prepareFlows makes room for a block with Flows, and clears its numbers.
func (s *Search) prepareFlows(b *preprocess.Block) {
	s.flows.got, s.flows.want = 0, 0
	if s.flows.over = s.flows.over[:0]; b.HasFlows() {
		s.flows.over = pages.Cleared(s.flows.over, b.Flows.Count())
		s.counts, s.flowing = pages.Resize(s.counts, b.Vertices()*lanes), pages.Resize(s.flowing, int(b.LargestDegree()))
	}
}

// keepCounts copies the path counts of the vertices that were met.
func (s *Search) keepCounts(_ context.Context, _ []uint32) error {
	if !s.block.HasFlows() && s.inside == nil {
		return nil
	}
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			*(*[lanes]float64)(s.counts[r*lanes:]) = *(*[lanes]float64)(s.rows[r*lanes:])
		}
	}
	return nil
}

// flow adds up the flow over every link. Links are in the order of their arcs.
func (s *Search) flow(ctx context.Context, sources []uint32) error {
	if !s.block.HasFlows() {
		return nil
	}
	var distances [lanes]float64 // target mass times distance
	for word, met := range s.met {
		for ; met != 0; met &= met - 1 {
			r := word*64 + bits.TrailingZeros64(met)
			x, first, end := s.order[r], s.after.first[r], s.after.first[r+1]
			if err := s.visited(ctx, end-first+1); err != nil {
				return err
			}
			if weight := s.weight[x]; weight != 0 {
				for left := s.counted[r]; left != 0; left &= left - 1 {
					lane := bits.TrailingZeros16(left)
					distances[lane] += weight * float64(s.distance(x, lane))
				}
			}
			s.kernels.send(&s.frame, r)
			arc := s.out.offsets[x]
			for i, to := range s.after.rank[first:end] {
				for y := s.order[to]; s.out.targets[arc] != y; {
					arc++
				}
				s.flows.over[s.block.Flows.Of[arc]] += s.flowing[i]
				s.flows.got += float64(s.flowing[i] * float64(s.out.lengths[arc])) // the conversion keeps arm64 from fusing
				arc++
			}
		}
	}
	for lane := range sources {
		s.flows.want += float64(s.source[lane] * distances[lane])
	}
	return nil
}
