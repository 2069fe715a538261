package searches

import (
	"math/bits"
	"runtime"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// order is new numbers for the vertices of a graph.
type order struct {
	vertices []uint32 // by new number: the vertex
	numbers  []uint32 // by vertex: its new number
	joined   int      // vertices with arcs, which come first
}

// orderOf numbers vertices by degree, in both directions: those with the highest power
// of two first, otherwise in their own order. So ascending rows begin with hubs, hubs'
// bits are in few words, and vertices without arcs are at the end. A mesh, whose
// degrees are all similar, keeps its neighbourhoods.
func orderOf(g *csr.Graph) order {
	n := g.Vertices()
	class := make([]uint8, n)
	var begins [66]int // of the classes, from the highest, 64, down: begins[64-class]
	for v := range uint32(n) {
		degree := len(g.Neighbours(v))
		if g.Directed() {
			degree += len(g.In.Neighbours(v))
		}
		class[v] = uint8(bits.Len(uint(degree)))
		begins[65-class[v]]++
	}
	for i := 1; i < len(begins); i++ {
		begins[i] += begins[i-1]
	}
	o := order{vertices: make([]uint32, n), numbers: make([]uint32, n), joined: begins[64]}
	for v := range uint32(n) {
		place := &begins[64-class[v]]
		o.vertices[*place], o.numbers[v] = v, uint32(*place)
		*place++
	}
	return o
}

// ordered returns the order of a graph by orderOf, and the graph in it.
func ordered(g *csr.Graph) (*order, *csr.Graph) {
	o := orderOf(g)
	return &o, o.graph(g)
}

// graph returns g without lengths, with the order's numbers.
func (o *order) graph(g *csr.Graph) *csr.Graph {
	ordered := o.rows(g)
	if g.Directed() {
		ordered.In = o.rows(g.In)
	}
	return ordered
}

// several is the number of vertices that a goroutine takes at a time.
const several = 1 << 12

// rows returns the rows of g in the order's numbers, ascending.
func (o *order) rows(g *csr.Graph) *csr.Graph {
	n := g.Vertices()
	out := &csr.Graph{Offsets: make([]int64, n+1), Targets: make([]uint32, len(g.Targets))}
	for i, v := range o.vertices {
		out.Offsets[i+1] = out.Offsets[i] + int64(len(g.Neighbours(v)))
	}
	parallel.SpreadWhole(runtime.GOMAXPROCS(0), n, several, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := out.Neighbours(uint32(i))
			for k, u := range g.Neighbours(o.vertices[i]) {
				row[k] = o.numbers[u]
			}
			slices.Sort(row)
		}
	})
	return out
}

// old returns a list by new numbers as a list by vertex.
func (o *order) old(list []uint32) []uint32 {
	out := make([]uint32, len(list))
	for i, v := range o.vertices {
		out[v] = list[i]
	}
	return out
}
