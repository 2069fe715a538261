package preprocess

import (
	"cmp"
	"unsafe"

	"bcstage/internal/budget"
	"bcstage/internal/engine"
)

// Bytes that Reduce takes at its peak beside the graph, measured on graphs of eight shapes.
// Folding, components and closed forms count per vertex. The search for blocks, their
// copies and the order of their sources count per vertex, edge and batch of the core.
const (
	foldVertexBytes = 37
	coreVertexBytes = 90
	coreEdgeBytes   = 16
	coreBatchBytes  = 48

	// A core whose rows take the memory of the graph's is halves first. Its blocks are copied, unless they are one.
	spentEdgeBytes = 5
	filedEdgeBytes = 1 // the halves are in files
	blockEdgeBytes = 8

	// A directed graph's core and blocks have their arcs both ways round beside their
	// shadow. Sweeps have a row of bits per strong component.
	coreArcVertexBytes = 48 + 8*sweepWords
	coreArcBytes       = 16

	// roadVertexBytes is for a vertex of a deep component, which may be laid out as roads.
	roadVertexBytes = 50

	// withinVertexBytes is for a vertex while one goroutine counts the vertices within a
	// cutoff.
	withinVertexBytes = 40

	// branchBytes is for a vertex of a tree that keeps its own source and target mass.
	branchBytes = 4*4 + 9*8

	// splitBytes is for the vertex in the middle of an edge: its row, two masses and two
	// more arcs, with lengths both ways.
	splitBytes = 96
)

// ReduceBytes is the least memory that reducing a graph of n vertices and m edges takes,
// with the graph but without its lengths. This minimum is for a graph that folds away
// whole.
func ReduceBytes(n int, m int64) int64 { return (8+foldVertexBytes)*int64(n) + 8*m }

// reduceBytes is ReduceBytes of the plan's graph, with its shadow.
func (p *Plan) reduceBytes() int64 {
	bytes := ReduceBytes(p.Vertices, p.Edges)
	if p.Question.Directed {
		bytes += 16*int64(p.Vertices+1) + 8*p.Edges // offsets of In; the shadow
	}
	if p.Question.Directed || p.Question.HasMasses() || chosenEnds(p.Question) {
		bytes += 32 * int64(p.Vertices) // masses
	}
	if p.Question.Edges {
		bytes += (8 + 8 + 8) * p.Edges // ends, numbers by arc, closed forms
	}
	if p.Question.Parts() {
		bytes += (8 + 7*8 + 8 + 1 + 4*4 + branchBytes) * int64(p.Vertices) // closed forms of 128 bits, and what hanging is made of
	}
	if p.Question.HasMasses() || p.Question.EndsInPart() {
		bytes += 8 * int64(p.Vertices) // closed forms of 128 bits
		if p.Question.Edges {
			bytes += 8 * p.Edges
		}
	}
	return bytes
}

// coreBytes is the additional memory for the core that folding leaves, each of whose edges takes edge bytes.
func (r *reducer) coreBytes(f *folding, edge int64) int64 {
	vertices, edges := f.core(r.opts.Threads)
	n, m := int64(vertices), edges
	lanes := cmp.Or(r.opts.Lanes, engine.MaxLanes)
	if r.edges != nil {
		edge += splitBytes
	}
	bytes := (coreVertexBytes+coreBatchBytes/int64(lanes))*n + edge*m + r.graph.LengthBytes(m)
	if r.plan.Question.Directed {
		bytes += coreArcVertexBytes*n + 2*coreArcBytes*m // at most two arcs for an edge of the shadow
	}
	return bytes
}

// Bytes returns the memory that the plan holds. Closed forms take 8 bytes per vertex of the
// graph. Blocks take 4 per directed edge, 12 with lengths, and 24 per vertex, 26 with
// Farness. A directed graph takes as much per arc once more, and 8 per vertex. Chains and
// twins are added.
func (p *Plan) Bytes() int64 {
	sum := budget.Held(p.ComponentSizes) + budget.Held(p.ComponentOf) + budget.Held(p.IndependentSet) + budget.Held(p.Degrees) + budget.Held(p.InDegrees) + budget.Held(p.IsSource) + budget.Held(p.IsTarget) + budget.Held(p.TargetMass) + budget.Held(p.Batches) + budget.Held(p.Blocks) + budget.Held(p.EdgeEnds[0]) + budget.Held(p.EdgeEnds[1])
	sum += p.hanging().bytes()
	for _, c := range p.ClosedForms {
		sum += budget.Held(c.Low) + budget.Held(c.High)
	}
	either := make(map[*uint32]bool) // rows that were counted, by vertex list: blocks for distances of both directions share them
	for i := range p.Blocks {
		b := &p.Blocks[i]
		sum += budget.Held(b.From) + budget.Held(b.Multiplicity) + budget.Held(b.Sources) + budget.Held(b.Farness) + budget.Held(b.classes) + budget.Held(b.within) + budget.Held(b.Reach) +
			budget.Held(b.counted) + budget.Held(b.follows) + budget.Held(b.Hung) + budget.Held(b.Middles) + budget.Held(b.Waived) + b.Flows.bytes() + b.spread.bytes()
		if !b.OneMass() {
			sum += budget.Held(b.To)
		}
		c := b.chains()
		sum += budget.Held(c.Junctions) + budget.Held(c.Ends) + budget.Held(c.First) + budget.Held(c.Inner) + budget.Held(b.roads().Into)
		if b.Kind().Reach() {
			list := unsafe.SliceData(b.vertices)
			if either[list] {
				continue
			}
			either[list] = true
		}
		sum += budget.Held(b.vertices) + b.Graph.Held()
	}
	return sum
}

func (f *Flows) bytes() int64 {
	if f == nil {
		return 0
	}
	bytes := budget.Held(f.Of) + budget.Held(f.Edges) + budget.Held(f.First)
	if f.Inside != nil {
		bytes += budget.Held(f.Inside.First) + budget.Held(f.Inside.Vertices)
	}
	return bytes
}
