package testgraphs

import "math/rand/v2"

// Streets is a graph that grows by chains. N is the number of vertices so far.
type Streets struct {
	Edges []Edge
	N     uint32
}

// Chain joins a and b by a chain of the given length, with new vertices inside.
func (s *Streets) Chain(a, b uint32, length int) {
	for ; length > 1; length-- {
		s.Edges = append(s.Edges, Edge{a, s.N})
		a = s.N
		s.N++
	}
	s.Edges = append(s.Edges, Edge{a, b})
}

// Ears is a random biconnected graph: a cycle, and chains whose ends are any
// two vertices so far (H. Whitney, "Non-separable and planar graphs", 1932).
func Ears(r *rand.Rand, count, longest int) []Edge {
	s := &Streets{N: 1}
	s.Chain(0, 0, 4+r.IntN(8))
	direct := map[Edge]bool{}
	for _, e := range s.Edges {
		direct[Edge{min(e[0], e[1]), max(e[0], e[1])}] = true
	}
	for range count {
		a, b := uint32(r.IntN(int(s.N))), uint32(r.IntN(int(s.N)))
		if r.IntN(4) == 0 && len(s.Edges) > 20 { // beside another chain
			a, b = s.Edges[0][0], s.Edges[len(s.Edges)-1][1]
		}
		length := 1 + r.IntN(longest)
		key := Edge{min(a, b), max(a, b)}
		if a == b || length == 1 && direct[key] {
			continue
		}
		direct[key] = direct[key] || length == 1
		s.Chain(a, b, length)
	}
	// A last ear makes junctions certain.
	s.Chain(0, 2, 1+longest)
	return s.Edges
}

// Necklace is a ring of squares joined at opposite corners; every side is a
// chain. There are 2^squares ways around half of the ring.
func Necklace(squares, length int) []Edge {
	s := &Streets{N: uint32(squares)}
	for i := range uint32(squares) {
		next := (i + 1) % uint32(squares)
		s.Chain(i, next, length)
		s.Chain(i, next, length)
	}
	return s.Edges
}

// CutGrid is a square grid whose edges are cut into chains with a mean number of
// vertices inside, with about n vertices in all.
func CutGrid(r *rand.Rand, n, inside float64) []Edge {
	side := uint32(1)
	for float64(side*side)*(1+2*inside) < n {
		side++
	}
	s := &Streets{N: side * side}
	for _, e := range Grid(side, side) {
		s.Chain(e[0], e[1], 1+int(inside*r.ExpFloat64()+0.5))
	}
	return s.Edges
}

// CutCubic is, like CutGrid, a random graph of junctions with about three
// neighbours.
func CutCubic(r *rand.Rand, n, inside float64) []Edge {
	s := &Streets{N: uint32(n / (1 + 1.5*inside))}
	junctions := s.N
	join := func(a, b uint32) { s.Chain(a, b, 1+int(inside*r.ExpFloat64()+0.5)) }
	for v := range junctions {
		join(v, (v+1)%junctions)
		if v%2 == 0 {
			join(v, r.Uint32N(junctions))
		}
	}
	return s.Edges
}
