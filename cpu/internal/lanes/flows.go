package lanes

import (
	"math"
	"math/bits"

	"bcstage/internal/engine"
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// The kernels backwardFlows add up the flows of a block with Flows on the backward pass.
// This file has the rest: flows out of sources, memory, and the self-check.

// flowOut adds up the flows over the arcs of sources that start at a level.
func (s *search[T]) flowOut(l level) {
	if s.slots == nil {
		return
	}
	for i, v := range s.vertex[l.end:l.seeds] {
		m := s.mask[l.end+i]
		lane := bits.TrailingZeros64(m)
		for e := s.offsets[v]; e < s.offsets[v+1]; e++ {
			if u := s.targets[e]; s.next[u]&m != 0 {
				s.flows[s.slots[e]] += s.source[lane] * float64(s.rows[int(u)*s.lanes+lane])
			}
		}
	}
}

// prepareFlows makes room for flows, if the block has any.
func (s *search[T]) prepareFlows(b *preprocess.Block) {
	if s.slots = nil; !b.HasFlows() {
		return
	}
	s.slots, s.listSlot = b.Flows.Of, pages.Resize(s.listSlot, len(s.list))
	s.clearFlows(b.Flows.Count())
	s.listFlow = pages.Cleared(s.listFlow, 4*b.Room())
}

// clearFlows sets the flows of so many edges to 0. After a complete batch of the same block it clears only
// the flows of that batch.
func (s *search[T]) clearFlows(edges int) {
	if s.flowsFrom != s.block {
		s.flows, s.flowsAt = pages.Cleared(s.flows, edges), pages.Resize(s.flowsAt, edges)[:0]
	}
	if len(s.flowsAt) > edges/4 {
		clear(s.flows)
	} else {
		for _, e := range s.flowsAt {
			s.flows[e] = 0
		}
	}
	s.flowsFrom = nil // until this batch has ended
}

// deliverFlows finds the edges with flows, and computes both sides of the self-check. FlowGot
// is NaN if a flow is negative.
func (s *search[T]) deliverFlows(result *engine.Result) {
	if s.slots == nil {
		return
	}
	s.flowsAt, result.FlowGot = s.sumFlows.All(s.flows, s.flowsAt)
	s.flowsFrom = s.block
	for i := range s.sources {
		result.FlowWant += s.source[i] * (s.want[i] + s.arrived[i])
	}
	result.Flows, result.FlowsAt = s.flows, s.flowsAt
}

// FlowSums is a kernel that adds up flows in four parts: parts[i] gets the sum of flows i, i+4, and so on. It lists
// in at the flows that are not 0, and says whether some sign is negative. at has room for all flows. Kernels in
// assembly take a multiple of four flows.
type FlowSums func(flows []float64, at []uint32, parts *[4]float64) (count int, negative bool)

// All adds up any number of flows, and lists in at the flows that are not 0. It makes at larger
// if need be. The sum is NaN if a flow is negative.
func (k FlowSums) All(flows []float64, at []uint32) (some []uint32, sum float64) {
	whole := len(flows) &^ 3
	at = pages.Resize(at, len(flows))
	var parts [4]float64
	count, negative := k(flows[:whole], at, &parts)
	for i, x := range flows[whole:] {
		parts[i] += x
		at[count] = uint32(whole + i)
		count += nonzero(math.Float64bits(x) << 1)
		negative = negative || math.Signbit(x)
	}
	if negative {
		return at[:count], math.NaN()
	}
	return at[:count], (parts[0] + parts[1]) + (parts[2] + parts[3])
}

// sumFlows is the Portable twin of all FlowSums.
func sumFlows(flows []float64, at []uint32, parts *[4]float64) (count int, negative bool) {
	*parts = [4]float64{} // four independent sums
	signs := uint64(0)
	for i, x := range flows {
		pattern := math.Float64bits(x)
		parts[i%4] += x
		at[count] = uint32(i)
		count += nonzero(pattern << 1) // 0 for -0, too
		signs |= pattern
	}
	return count, signs>>63 != 0
}
