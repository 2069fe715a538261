package change

import (
	"slices"

	"bcstage/internal/csr"
)

// Masses returns the origins and destinations by vertex of the cover, where an unordered pair counts the product of two masses; nil: 1
// each.
func Masses(cover Cover, masses []int64) (origins, destinations []int64) {
	origins, destinations = make([]int64, len(cover)), make([]int64, len(cover))
	for v, is := range cover {
		mass := int64(1)
		if masses != nil {
			mass = masses[v]
		}
		if destinations[v] = 2 * mass; is {
			origins[v], destinations[v] = mass, mass
		}
	}
	return origins, destinations
}

// Flows returns a graph with origins and destinations by vertex, whose flows Parts takes. It is the union, and, if pairs
// are ordered, the union turned round beside it: a pair counts there that has its target in a cover and its source in
// none. Vertices without an edge are left out, and so is a day on which nothing begins.
func (d *Difference) Flows(union *csr.Graph, from, to Cover) (g *csr.Graph, origins, destinations []int64) {
	if !d.ordered {
		origins, destinations = Masses(from, d.origins)
		limit(origins, d.Sources)
		limit(destinations, d.Sources)
		some := d.begun(union, origins)
		d.search(some)
		return pick(union, some), csr.Pick(origins, some), csr.Pick(destinations, some)
	}
	n, turned := union.Vertices(), turn(union)
	each := func(masses []int64) []int64 {
		if masses == nil {
			return slices.Repeat([]int64{1}, n)
		}
		return slices.Clone(masses)
	}
	there, back := [2][]int64{make([]int64, n), each(d.destinations)}, [2][]int64{make([]int64, n), each(d.origins)}
	for v := range n {
		if to[v] {
			back[0][v] = there[1][v]
		}
		if from[v] {
			there[0][v], back[1][v] = back[1][v], 0
		}
	}
	limit(there[0], d.Sources)
	limit(there[1], d.Targets)
	limit(back[0], d.Targets)
	limit(back[1], d.Sources)
	first, second := d.begun(union, there[0]), d.begun(turned, back[0])
	d.search(slices.Concat(first, second))
	both := func(mass int) []int64 { return append(csr.Pick(there[mass], first), csr.Pick(back[mass], second)...) }
	return beside(pick(union, first), pick(turned, second)), both(0), both(1)
}

// turn returns a graph with its arcs the other way round.
func turn(g *csr.Graph) *csr.Graph {
	if !g.Directed() {
		return g
	}
	turned := &csr.Graph{Offsets: g.In.Offsets, Targets: g.In.Targets, Lengths: g.In.Lengths}
	turned.In = &csr.Graph{Offsets: g.Offsets, Targets: g.Targets, Lengths: g.Lengths}
	return turned
}

// search keeps the numbers of the vertices that are searched.
func (d *Difference) search(vertices []uint32) {
	if d.searched = vertices; d.outer != nil {
		d.outer.searched = csr.Pick(d.at, vertices)
	}
}

// begun returns the vertices with an edge on days on which something begins.
func (d *Difference) begun(union *csr.Graph, origins []int64) (vertices []uint32) {
	for _, day := range [][2]int{{0, d.vertices}, {d.vertices, len(origins)}} {
		if !slices.ContainsFunc(origins[day[0]:day[1]], func(mass int64) bool { return mass > 0 }) {
			continue
		}
		for v := uint32(day[0]); v < uint32(day[1]); v++ {
			if len(union.Neighbours(v)) > 0 || len(union.Reverse().Neighbours(v)) > 0 {
				vertices = append(vertices, v)
			}
		}
	}
	return vertices
}

// pick returns the graph of some vertices, which no edge joins to others, numbered in that order.
func pick(g *csr.Graph, vertices []uint32) *csr.Graph {
	number := make([]uint32, g.Vertices())
	for i, v := range vertices {
		number[v] = uint32(i)
	}
	return rows(g, vertices, func(w uint32) uint32 { return number[w] })
}

// limit leaves masses where something may begin or end.
func limit(masses []int64, ends []bool) {
	for v, is := range ends {
		if !is {
			masses[v] = 0
		}
	}
}

// Parts returns what the flows through the graph of Flows add to scores, by vertex of the union.
func (d *Difference) Parts(flows []float64) []float64 {
	parts := make([]float64, len(d.twin))
	for i, v := range d.searched {
		parts[v] += d.each() * flows[i]
	}
	return parts
}
