package preprocess

import "unsafe"

// Bytes is the memory that the plan holds: per vertex of the graph 8 for its
// closed forms; of what is left to search, 4 per directed edge and 24 per
// vertex, 26 with Farness; and what chains and twins need.
func (p *Plan) Bytes() int64 {
	sum := held(p.Base) + held(p.ComponentSizes) + held(p.Batches) + held(p.Blocks)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		sum += held(b.Offsets) + held(b.Targets) + held(b.From) + held(b.Multiplicity) + held(b.Sources) +
			held(b.Farness) + held(b.vertices) + held(b.classes) + held(b.within)
		if !b.OneMass() {
			sum += held(b.To)
		}
		if c := b.Chains; c != nil {
			sum += held(c.Junctions) + held(c.Ends) + held(c.First) + held(c.Inner)
		}
	}
	return sum
}

// held is the memory of a slice, used or not.
func held[E any](s []E) int64 {
	var e E
	return int64(cap(s)) * int64(unsafe.Sizeof(e))
}
