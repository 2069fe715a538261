package meshes

import (
	"bcstage/internal/cpu/pages"
	"bcstage/preprocess"
)

// What goes over the edges of a block with Flows is added up on the way back, by the kernels
// depend. This is what is left to do beside them.

// prepareFlows makes room for those of a block.
func (s *Search) prepareFlows(b *preprocess.Block) {
	if s.slots, s.flows = nil, nil; !b.HasFlows() {
		return
	}
	s.slots, s.flows = make([]uint32, len(b.Targets)), make([]float64, b.Flows.Count())
	s.listSlot, s.listFlow = pages.Resize(s.listSlot, len(s.list)), pages.Resize(s.listFlow, 4*len(s.list))
}

// layFlows writes down which edges the arcs of a rank belong to.
func (s *leveller) layFlows(r uint32) {
	if s.slots != nil {
		v := s.order[r]
		copy(s.slots[s.offsets[r]:], s.block.Flows.Of[s.block.Offsets[v]:s.block.Offsets[v+1]])
	}
}

// flowOut adds up what goes over the arcs of the sources: all neighbours are behind them.
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

// flowWant is what all flows come to if every path is as long as its edges: what want is,
// where the mass that is next to a source counts, too.
func (s *Search) flowWant(sources []uint32) (want float64) {
	if s.slots == nil {
		return 0
	}
	for i, v := range sources {
		want += s.source[i] * (s.want[i] + s.mass - s.weight[v])
	}
	return want
}
