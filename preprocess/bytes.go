package preprocess

import "unsafe"

// What Reduce takes at its peak beside the graph, in bytes, measured on graphs of
// eight shapes: for folding, components and closed forms per vertex; and per
// vertex, edge and batch of the core for the search for blocks, their copies and
// the order of their sources.
const (
	foldVertexBytes = 37
	coreVertexBytes = 90
	coreEdgeBytes   = 16
	coreBatchBytes  = 48

	// A directed graph's core and blocks have their arcs both ways round beside
	// their shadow, and sweeps a row of bits by strong component.
	coreArcVertexBytes = 48 + 8*sweepWords
	coreArcBytes       = 16

	// roadVertexBytes is for a vertex of a deep component, which may be laid out as roads.
	roadVertexBytes = 50

	// withinVertexBytes is for a vertex while one goroutine counts what is within a cutoff.
	withinVertexBytes = 40

	// splitBytes is for an edge's vertex in the middle: its row, two masses and two more
	// arcs, with lengths either way.
	splitBytes = 96
)

// ReduceBytes is the least that a graph of n vertices and m edges takes while it
// is reduced, itself included but for its lengths: it is all folded away.
func ReduceBytes(n int, m int64) int64 { return (8+foldVertexBytes)*int64(n) + 8*m }

// lengthBytes is what the lengths of m edges take, where edges have some.
func (g *Graph) lengthBytes(m int64) int64 {
	if !g.HasLengths() {
		return 0
	}
	return 2 * 8 * m
}

// reduceBytes is ReduceBytes of the plan's graph, with its shadow.
func (p *Plan) reduceBytes() int64 {
	bytes := ReduceBytes(p.Vertices, p.Edges)
	if p.Question.Directed {
		bytes += 16*int64(p.Vertices+1) + 8*p.Edges // offsets of In; the shadow
	}
	if p.Question.Directed || twoMasses(p.Question) {
		bytes += 32 * int64(p.Vertices) // masses
	}
	if p.Question.Edges {
		bytes += (8 + 8 + 8) * p.Edges // ends, numbers by arc, closed forms
	}
	if p.Question.HasMasses() {
		bytes += 8 * int64(p.Vertices) // closed forms of 128 bits
		if p.Question.Edges {
			bytes += 8 * p.Edges
		}
	}
	return bytes
}

// coreBytes is what is added by a core of n vertices and m edges.
func coreBytes(n int, m int64, lanes int, directed bool) int64 {
	if lanes == 0 {
		lanes = MaxLanes
	}
	bytes := (coreVertexBytes+coreBatchBytes/int64(lanes))*int64(n) + coreEdgeBytes*m
	if directed {
		bytes += coreArcVertexBytes*int64(n) + 2*coreArcBytes*m // at most two arcs for an edge of the shadow
	}
	return bytes
}

// Bytes is the memory that the plan holds: per vertex of the graph 8 for its
// closed forms; of what is left to search, 4 per directed edge, 12 with lengths,
// and 24 per vertex, 26 with Farness; of a directed graph as much per arc once
// more, and 8 per vertex; and what chains and twins need.
func (p *Plan) Bytes() int64 {
	sum := held(p.ComponentSizes) + held(p.ComponentOf) + held(p.IndependentSet) + held(p.Degrees) + held(p.InDegrees) + held(p.IsSource) + held(p.IsTarget) + held(p.TargetMass) + held(p.Batches) + held(p.Blocks) + held(p.EdgeEnds[0]) + held(p.EdgeEnds[1])
	for _, c := range p.ClosedForms {
		sum += held(c.Low) + held(c.High)
	}
	either := make(map[*uint32]bool) // by vertices of blocks for distances: the rows that those of both ways share have been met
	for i := range p.Blocks {
		b := &p.Blocks[i]
		sum += held(b.From) + held(b.Multiplicity) + held(b.Sources) + held(b.Farness) + held(b.classes) + held(b.within) + held(b.Reach) +
			held(b.counted) + held(b.Middles) + held(b.Waived) + b.Flows.bytes()
		if !b.OneMass() {
			sum += held(b.To)
		}
		if b.Roads != nil {
			sum += held(b.Roads.Junctions) + held(b.Roads.Ends) + held(b.Roads.First) + held(b.Roads.Inner) + held(b.Roads.Into)
		}
		if c := b.Chains; c != nil {
			sum += held(c.Junctions) + held(c.Ends) + held(c.First) + held(c.Inner)
		}
		if b.Kind().Reach() {
			list := unsafe.SliceData(b.vertices)
			if either[list] {
				continue
			}
			either[list] = true
		}
		sum += held(b.vertices) + b.Graph.held()
	}
	return sum
}

// held is the memory of the rows, either way.
func (g *Graph) held() int64 {
	sum := held(g.Offsets) + held(g.Targets) + held(g.Lengths)
	if g.Directed() {
		sum += g.In.held()
	}
	return sum
}

func (f *Flows) bytes() int64 {
	if f == nil {
		return 0
	}
	return held(f.Of) + held(f.Edges) + held(f.First)
}

// Held is the memory of the column.
func (k Keys) Held() int64 { return held(k.Ints) + held(k.Bytes) + held(k.Offsets) }

// Held is the memory of what tells vertices of equal ids apart.
func (s *Scopes) Held() int64 {
	sum := held(s.Of) + held(s.Side)
	for _, column := range s.By {
		sum += column.Held()
	}
	return sum
}

// held is the memory of a slice, used or not.
func held[E any](s []E) int64 {
	var e E
	return int64(cap(s)) * int64(unsafe.Sizeof(e))
}
