package searches

import (
	"bcstage/internal/csr"
)

// kept is a graph that searches share: its order, its parts, and its arrays on the device,
// which are made when a search first asks for them.
type kept struct {
	graph   *csr.Graph
	order   *order     // nil: no search has asked yet
	ordered *csr.Graph // by that order
	parts   *csr.Stride
	arrays  map[string]*keptArray
}

type keptArray struct {
	buffer Buffer
	bytes  int
	users  int // searches
}

// Keep lets later searches of g share its arrays, which stay on the device until the next
// Keep, or Release; searches are released before. Arrays that no search uses are freed when
// the device has no other memory left.
func (s *Searches) Keep(g *csr.Graph) {
	s.forget()
	s.kept = &kept{graph: g, arrays: make(map[string]*keptArray)}
}

func (s *Searches) forget() {
	if s.kept != nil {
		s.kept.trim(s.device)
		s.kept = nil
	}
}

// trim frees arrays that no search uses, and reports whether there were any.
func (k *kept) trim(d Device) (some bool) {
	for name, a := range k.arrays {
		if a.users == 0 {
			d.Free(a.buffer)
			delete(k.arrays, name)
			some = true
		}
	}
	return some
}

// orderOf returns the order of a graph's vertices by degree, and the graph in it.
func (s *Searches) orderOf(g *csr.Graph) (*order, *csr.Graph) {
	if k := s.keeps(g); k != nil {
		if k.order == nil {
			k.order, k.ordered = ordered(g)
		}
		return k.order, k.ordered
	}
	return ordered(g)
}

// partsOf returns the parts of a graph's vertices, by the limit that its degrees give.
func (s *Searches) partsOf(g *csr.Graph) (*csr.Stride, error) {
	k := s.keeps(g)
	if k != nil && k.parts != nil {
		return k.parts, nil
	}
	parts, err := g.Stride(0)
	if err == nil && k != nil {
		k.parts = parts
	}
	return parts, err
}

// keeps returns the kept data of a graph, or nil.
func (s *Searches) keeps(g *csr.Graph) *kept {
	if s.kept != nil && s.kept.graph == g {
		return s.kept
	}
	return nil
}

// ofGraph reports whether an array is the same for all searches of a graph.
func (s *Search) ofGraph(name string) bool {
	switch name {
	case "Ptr", "Adj", "Tails", "InPtr", "InAdj":
		return true
	case "Lengths":
		return s.problem == SSSP
	}
	return false
}

// shared returns the graph's array of that name, which all searches read.
func (s *Search) shared(name string) (*keptArray, error) {
	key := name
	if s.order != nil {
		key += " by degree"
	}
	a := s.kept.arrays[key]
	if a == nil {
		b, size, err := s.filled(name)
		if err != nil {
			return nil, err
		}
		a = &keptArray{buffer: b, bytes: size}
		s.kept.arrays[key] = a
	}
	a.users++
	s.uses = append(s.uses, a)
	return a, nil
}
