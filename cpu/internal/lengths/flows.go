package lengths

import (
	"math/bits"

	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// flows is the state for flows beside the frame.
type flows struct {
	over      []float64 // by edge of the block
	got, want float64   // see preprocess.Flows
}

// prepareFlows makes room for a block with Flows, and clears its numbers.
func (s *Search) prepareFlows(b *preprocess.Block) {
	s.flows.got, s.flows.want = 0, 0
	if s.flows.over = s.flows.over[:0]; b.HasFlows() {
		s.flows.over = pages.Cleared(s.flows.over, b.Flows.Count())
		s.flowing = pages.Resize(s.flowing, int(b.LargestDegree()))
	}
}

// dependFlowing is a kernel depend for a block with Flows. It adds the flow over the links of the rank, whose path counts
// depend overwrites.
func (s *Search) dependFlowing(depend func(*frame, int) uint16) func(*frame, int) uint16 {
	return func(f *frame, r int) uint16 {
		f.counts = *(*[lanes]float64)(f.rows[r*lanes:])
		fresh := depend(f, r)
		s.flow(r, fresh)
		return fresh
	}
}

// flow adds the flow over every link of a rank in some lanes. Links are in the order of their arcs. The rank's path counts
// are in counts.
func (s *Search) flow(r int, fresh uint16) {
	if fresh == 0 {
		return
	}
	x := s.order[r]
	if weight := s.weight[x]; weight != 0 {
		for left := fresh; left != 0; left &= left - 1 {
			lane := bits.TrailingZeros16(left)
			s.flows.want += float64(float64(s.source[lane]*weight) * float64(s.distance(x, lane))) // the conversion keeps arm64 from fusing
		}
	}
	s.kernels.send(&s.frame, r, fresh)
	first, end := s.after.first[r], s.after.first[r+1]
	masks, arc := s.after.mask[first:end], s.out.offsets[x]
	for i, to := range s.after.rank[first:end] {
		if masks[i]&fresh == 0 {
			continue
		}
		for s.rank[s.out.targets[arc]] != to {
			arc++
		}
		s.flows.over[s.block.Flows.Of[arc]] += s.flowing[i]
		s.flows.got += float64(s.flowing[i] * float64(s.out.lengths[arc]))
		arc++
	}
}
