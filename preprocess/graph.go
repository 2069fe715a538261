package preprocess

// Graph is a simple graph in compressed sparse rows: the neighbours of v are
// Targets[Offsets[v]:Offsets[v+1]], ascending, without v itself and without
// repeats. Every edge of an undirected graph is stored in both directions; the
// neighbours in a directed one are those that v's arcs lead to.
type Graph struct {
	Offsets []int64  // n+1
	Targets []uint32 // 2m; of a directed graph m

	// Lengths are those of the arcs, beside Targets, each at least 1; nil: every
	// arc has length 1. What they are multiples of is the question's affair.
	Lengths []int64

	// In is the same arcs the other way round, lengths included: its neighbours of
	// v are those whose arcs lead to v. Its own In is nil. nil: undirected.
	In *Graph
}

// Vertices is n.
func (g *Graph) Vertices() int { return max(len(g.Offsets)-1, 0) }

// Directed tells whether arcs have directions.
func (g *Graph) Directed() bool { return g.In != nil }

// HasLengths tells whether arcs have lengths of their own; else each is 1.
func (g *Graph) HasLengths() bool { return g.Lengths != nil }

// Edges is m: each undirected edge once, each arc of a directed graph once.
func (g *Graph) Edges() int64 {
	if g.In != nil {
		return int64(len(g.Targets))
	}
	return int64(len(g.Targets)) / 2
}

// Reverse is the graph with every arc the other way round: an undirected one is
// its own.
func (g *Graph) Reverse() *Graph {
	if g.In != nil {
		return g.In
	}
	return g
}

// LargestDegree is that of the vertex with most neighbours; 0 without vertices.
func (g *Graph) LargestDegree() int64 {
	largest := int64(0)
	for v := range g.Vertices() {
		largest = max(largest, g.Offsets[v+1]-g.Offsets[v])
	}
	return largest
}

// Neighbours of v, ascending. The slice is the graph's own.
func (g *Graph) Neighbours(v uint32) []uint32 { return g.Targets[g.Offsets[v]:g.Offsets[v+1]] }
