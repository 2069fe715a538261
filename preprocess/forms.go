package preprocess

import (
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/wholes"
)

// reducer holds the forms of the graph between the steps of Reduce. Each is made by one step and
// dropped after the last step that reads it.
type reducer struct {
	opts Options
	plan *Plan

	cutoff   int64 // see cutoffOf
	graph    *csr.Graph
	edges    *building.EdgeList // of a question about edges; else nil
	shadow   *csr.Graph         // by shadowGraph; until numberCore
	folding  *folding           // by folding; until numberCore
	folds    *folding           // the same, of a directed graph; until spreadMasses, and so are
	masses   *masses            // those of a directed graph, by folding
	hanging  *hanging           // what folded where pairs count in part; until copyBlocks
	decay    *decay             // by shares, if pairs count by their distance, and
	limit    int64              // the largest distance that counts
	core     *core              // by numberCore; until copyBlocks, and so are the next three
	blocks   *blocks            // by blocks
	copier   *copier            // by measureBlocks
	copying  int64              // by numberCore: the memory of copying blocks, beside the graph's
	outlines []outline          // of the blocks without closed form, most work first
	size     []uint32           // by graph vertex: vertices of its component; by numberCore or numberWhole
	whole    *entire            // by numberWhole, for a question about distances; until layDistances
	longest  int64              // by layDistances, if arcs have lengths: the largest
}

// fits asks whether that many bytes may be held in all.
func (r *reducer) fits(bytes int64) error {
	if r.opts.Fits == nil {
		return nil
	}
	return r.opts.Fits(bytes)
}

// held is the memory that does not depend on the steps: the graph with its lengths, and reduceBytes.
func (r *reducer) held() int64 {
	return r.plan.reduceBytes() + r.graph.LengthBytes(r.plan.Edges) + tripBytes*int64(len(r.opts.Trips))
}

// spends reports whether the core may take the memory of the graph's rows: no later step reads them.
func (r *reducer) spends() bool {
	q := r.plan.Question
	return r.opts.Spend && !r.graph.HasLengths() && !q.Searches(measures.Distances) &&
		q.Beyond([]string{measures.Betweenness, "endpoints", "cutoff", "sources", "targets"}) == ""
}

// threadsFor returns how many goroutines, each taking each bytes, fit in memory beside others: all, or
// fewer. It fails if there is too little for one.
func (r *reducer) threadsFor(others, each int64) (int, error) {
	for threads := r.opts.Threads; threads > 1; threads /= 2 {
		if r.fits(others+int64(threads)*each) == nil {
			return threads, nil
		}
	}
	return 1, r.fits(others + each)
}

// edgeForms returns the closed forms of edges; empty if the question is not about them.
func (r *reducer) edgeForms() wholes.Forms { return r.plan.ClosedForm(measures.EdgeBetweenness) }

// core is what folding leaves, renumbered breadth first, one component after
// the other. Each component is rooted at its first vertex.
type core struct {
	graph  csr.Graph  // core numbers; of a directed graph its shadow
	arcs   *csr.Graph // of a directed graph itself, with In; else graph
	vertex []uint32   // graph vertex of each core vertex
	parent []uint32   // in the breadth-first tree; a root is its own parent
	weight []uint32   // original vertices that folded into it, with itself
	size   []uint32   // by root: weight of the component
	roots  []uint32   // ascending
}

// copier copies blocks out of a core.
type copier struct {
	*core
	*blocks
	local []uint32 // by core vertex: number in the block it is a member of; a head is 0 in its blocks
	heads []bool   // by core vertex: whether it is the head of a block

	shadow  memberRows // of the core's graph
	out, in memberRows // of its arcs, and those the other way round; if undirected, both are shadow
}

// outline describes a block before it is copied.
type outline struct {
	block uint32
	place int   // among all blocks, most work first
	size  int   // vertices, the head included
	edges int64 // of the shadow, both ways
	arcs  int64 // of the graph itself; of an undirected one, edges
}

// blocks are the biconnected components of a core. Every vertex but the roots is a member of one
// block, the block of the edge to its parent. The member's block has one vertex more, its head: the
// articulation point (or root) through which the search entered it. An edge between two members of one
// block, or of a member and its block's head, belongs to that block; there are no other edges.
type blocks struct {
	of      []uint32 // by core vertex: its block; none for a root
	head    []uint32 // by block: core vertex; smaller than all members
	first   []uint32 // by block, and one more: where its members begin
	members []uint32 // core vertices, ascending within a block

	beyond []uint32 // by core vertex: its weight and that of all that hangs on it outside its block
	inside []uint32 // by block: sum of beyond over the members
}

// folding is a graph after vertices of degree below 2, or only those of degree 0, were removed until
// none was left.
type folding struct {
	// weight of a vertex: itself and all that folded into it. A folded vertex keeps the weight with
	// which it left.
	weight []uint32
	// degree among the remaining vertices; 0 for folded ones.
	degree []uint32
	// order holds the folded vertices as they left, into[i] the neighbour
	// that order[i] folded into. The last vertex of a tree folds into itself.
	order, into []uint32
	leaves      int // of the graph itself: the first of order
	trees       int // components that folded away
}

// masses are the source and target masses of vertices while they fold, where both differ. They do
// where paths begin and end at some vertices only, where vertices have masses, or where edges have
// directions. With directions, vertices that hang on a vertex count in part: as sources if they reach
// the vertex, as targets if the vertex reaches them. (Between all pairs, and without directions, both
// are one number, the weight of folding.) Sums are at most mostMass.
//
// The idea of counting what can be reached is from A.E. Sariyuce et al., "Graph
// manipulations for fast centrality computation", TKDD 2017, and L. Wang et al.,
// "Articulation points guided redundancy elimination for betweenness centrality",
// PPoPP 2016; docs/algorithm.md derives the formulas.
type masses struct {
	from, to []int64 // by graph vertex: its own, and that of all that folded into it
	begin    []int64 // by graph vertex: its own source mass
	end      []int64 // likewise: its own target mass
	arcs     []uint8 // by place in the order of folding: which arcs run between the vertex and the one it folded into
}

// entire is the whole graph, its vertices by component, in breadth-first order within each. Vertices
// without neighbours are left out.
type entire struct {
	vertex []uint32 // graph vertex by place
	roots  []uint32 // where each component begins, ascending; the last entry is the end
	depths []int    // by component: distance of its last vertex from its first
}
