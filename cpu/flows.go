package cpu

import "math/bits"

// What goes over the edges of a block with Flows is added up on the way back, by the
// kernels backwardFlows. This is what is left to do beside them.

// flowOut adds up what goes over the arcs of sources that start at a level.
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

// checkFlows gives the two sides of the flows' self-check.
func (s *search[T]) checkFlows() (got, want float64) {
	if s.slots == nil {
		return 0, 0
	}
	got = total(s.flows)
	for i := range s.sources {
		want += s.source[i] * (s.want[i] + s.arrived[i])
	}
	return got, want
}

// total adds up in four parts, none of which waits for another.
func total(list []float64) float64 {
	var parts [4]float64
	for ; len(list) >= len(parts); list = list[len(parts):] {
		for i := range parts {
			parts[i] += list[i]
		}
	}
	for i, x := range list {
		parts[i] += x
	}
	return (parts[0] + parts[1]) + (parts[2] + parts[3])
}
