package meshes

import (
	"bcstage/internal/pages"
	"bcstage/preprocess"
)

// The kernels depend add up the flows of a block with Flows on the backward pass.
// This file has the rest: memory, flows out of sources, and a side of the check.

// prepareFlows makes room for the flows of a block.
func (s *Search) prepareFlows(b *preprocess.Block) {
	if s.slots, s.flows = nil, nil; !b.HasFlows() {
		return
	}
	s.slots, s.flows = make([]uint32, len(b.Targets)), make([]float64, b.Flows.Count())
	s.listSlot, s.listFlow = pages.Resize(s.listSlot, len(s.list)), pages.Resize(s.listFlow, 4*len(s.list))
}

// layFlows stores the edges of a rank's arcs.
func (s *leveller) layFlows(r uint32) {
	if s.slots != nil {
		v := s.order[r]
		copy(s.slots[s.out.offsets[r]:], s.block.Flows.Of[s.block.Offsets[v]:s.block.Offsets[v+1]])
	}
}

// flowOut adds up the flows over the arcs of the sources: all neighbours are successors.
func (s *Search) flowOut() {
	if s.slots == nil {
		return
	}
	for i, r := range s.sources {
		for e := s.offsets[r]; e < s.offsets[r+1]; e++ {
			s.flows[s.slots[e]] += s.source[i] * float64(rowOf(s.rows, s.targets[e])[i])
		}
	}
}

// flowWant returns the sum that all flows must have: target mass times distance, summed over sources.
// That is want plus what is reached, since want counts one edge less for each target.
func (s *Search) flowWant(sources []uint32) (want float64) {
	if s.slots == nil {
		return 0
	}
	for i := range sources {
		want += s.source[i] * (s.want[i] + s.reached[i])
	}
	return want
}
