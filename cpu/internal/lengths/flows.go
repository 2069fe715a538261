package lengths

import (
	"context"
	"math/bits"
)

// flows is the state for flows beside the frame. The backward sweep
// overwrites path counts, so counts keeps a copy. Flows over the links
// are added up afterwards, in one pass that takes a tenth of the time of all others.
type flows struct {
	counts    []float64 // copy of rows before the backward sweep
	over      []float64 // by edge of the block
	got, want float64   // see preprocess.Flows
}

// keepCounts copies the path counts.
func (s *Search) keepCounts(_ context.Context, _ []uint32) error {
	if s.block.HasFlows() {
		s.flows.counts = append(s.flows.counts[:0], s.rows...)
	}
	return nil
}

// flow adds up the flow over every link. Links are in the order of their
// arcs.
func (s *Search) flow(ctx context.Context, sources []uint32) error {
	if !s.block.HasFlows() {
		return nil
	}
	of := s.block.Flows.Of
	var distances [lanes]float64 // target mass times distance
	for r, x := range s.order {
		first, end := s.after.first[r], s.after.first[r+1]
		if err := s.visited(ctx, end-first+1); err != nil {
			return err
		}
		counted := s.counted[r]
		for left := counted; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros16(left)
			distances[lane] += s.weight[x] * float64(s.distance(x, lane))
		}
		row := (*[lanes]float64)(s.flows.counts[r*lanes:])
		arc := s.out.offsets[x]
		for l := first; l < end; l++ {
			to := s.after.rank[l]
			for s.rank[s.out.targets[arc]] != to {
				arc++
			}
			flow, c := 0.0, (*[lanes]float64)(s.rows[int(to)*lanes:])
			for left := s.after.mask[l] & counted; left != 0; left &= left - 1 {
				lane := bits.TrailingZeros16(left)
				flow += float64(float64(s.source[lane]*row[lane]) * c[lane])
			}
			s.flows.over[of[arc]] += flow
			s.flows.got += float64(flow * float64(s.out.lengths[arc]))
			arc++
		}
	}
	for lane := range sources {
		s.flows.want += float64(s.source[lane] * distances[lane])
	}
	return nil
}
