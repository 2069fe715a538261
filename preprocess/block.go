package preprocess

import (
	"slices"
	"unsafe"

	"bcstage/internal/csr"
)

// Block is one biconnected component of the core, with the mass of everything outside it moved onto its vertices: the
// unit of traversal. Local vertex numbers follow breadth-first order; in a directed block without cycles they are such
// that arcs ascend.
//
// An engine computes for a source s (U. Brandes, "A faster algorithm for betweenness centrality", 2001, with masses),
// mu = Multiplicity (1 when nil):
//
//	S(s) = 1
//	S(v) = mu(v) * sum over predecessors u of S(u)
//	c(t) = (To(t) + D(t)) * mu(t) / S(t)
//	D(v) = S(v) * sum over successors t of c(t)        v != s
//	Scores(v) += From(s) * D(v) / mu(v)                v != s
//
// and, for the self-check, per source:
//
//	sum over v != s of D(v)  =  sum over t != s of To(t) * (d(s,t) - 1)
//
// Arcs with lengths (Graph.Lengths) only change the predecessors: u precedes v if d(s,u) + length(u,v) = d(s,v). The
// sum of D is then no longer a multiple of a distance. The self-check is instead that the backward pass loses nothing,
// and so it is where cores search chains. With D(s) as the formula above gives it for the source:
//
//	D(s)  =  sum over t != s that s reaches of To(t)
//
// Between all pairs, From and To are one slice, because as much ends at a vertex as begins there. It counts the
// original vertices that each vertex stands for, and sums to the component's size.
type Block struct {
	csr.Graph // local numbers
	Paths
	Reaches
	names

	Sources []uint32 // every local vertex with source mass, once; those of a batch share levels
	Lanes   int      // sources per batch

	// Farness says, by local vertex, by how many levels a source is farther off than the others of its batch; nil when
	// it was not measured. Searches of several sources at once share more levels if the far-off sources start first:
	// source s of a batch starts at level max(Farness of the batch) - Farness[s]. This halves the work on meshes and
	// road networks.
	Farness []uint16

	// Entries is about the largest number of frontier entries, (vertex, level) pairs, of a batch: estimated from the
	// landmarks, or a bound. Engines make room for them. It is 0 for blocks with Chains.
	Entries int

	// Cutoff is the largest length of a path that counts, 2 or more, in edges or in the unit of Lengths; 0: any length.
	// In the formulas and in the self-check, a vertex that is farther from a source counts as not reached. With
	// Distances or Access, and for a question about edges, Cutoff may be 1.
	Cutoff int

	// Cutoffs are the cutoffs whose columns the block is for, as the question writes them, where it has several.
	Cutoffs []string

	// Ball is the part of the block that a batch reaches within the Cutoff.
	Ball ball
	// Around says how far the arcs of a directed block lead that has Farness and no Cutoff.
	Around around

	// Near is, in a part that one batch reaches (see Parts), the distance of each local vertex from the nearest source
	// of the batch. Local vertices are in the order of Near. It is nil elsewhere.
	Near []int64

	// Chains is the block as junctions joined by chains, where searching it that way is faster (road networks); nil
	// elsewhere. Such a block has no twins, its Sources are in the order of Chains.Sources, and its Lanes may exceed
	// MaxLanes.
	Chains *csr.Chains

	repeated int  // more than the arcs of any vertex, if the block Repeats some (see repeatArcs); else 0
	turned   bool // while the plan is made: paths run the other way than in the graph, see turnBlocks
}

// Paths is the part of a block that counting paths needs.
type Paths struct {
	From         []float64 // source mass: paths that begin at each vertex, or outside the block behind it; whole unless the block Sees
	To           []float64 // target mass: paths that end there; likewise
	Multiplicity []float64 // members of each twin class; nil when every class has one

	// Decay leaves a share of a target's mass, by its distance from the source. In the formulas of Block and in the
	// self-check, To(t) is then Seed(t, d(s,t)), and From(s) is Sends(s, sum of the seeds). With Draws, Spread of that
	// sum is a factor of the seeds. nil: all mass counts. A block with Decay has no Waived, and Flows
	// only if it has Lengths.
	Decay  *decay
	spread *spreadTwins // of a block with Multiplicity whose Decay spreads masses; nil elsewhere
	// Sees says, for a block with Decay, that a search also returns what every source sees: Result.Sees. Hung marks the
	// local vertices for which it returns what arrives there: Result.Arrives. nil: it need not.
	Sees bool
	Hung []bool
	// Access says, for a block with Decay and without Multiplicity, that a search also finds what every source reaches:
	// Result.Access. Sources are then all vertices that paths may begin at, whatever their mass.
	Access bool

	// Waived lists, for a directed block, targets that count for less in the searches from some sources. It is sorted
	// by source. c(t) then uses To(t) - Mass, and so does the right side of the self-check. For a question about trips,
	// in any block, it lists all targets that count; Mass is negative, minus the trips that go there (HasTrips). A
	// source that others share, as they have the same paths onwards, reaches vertices that are sources of its own.
	Waived []waiver

	// Draws, where scores are estimated from some sources, is how often each source was drawn in its stage, by local
	// vertex. nil: every source counts by its mass alone. See Plan.Draw.
	Draws []float64
	// Times is the same where scores of edges are estimated, too. Every batch then has one source, so its flows are those
	// of the source, and engines need not know the draws. The block has Flows, and no Draws.
	Times []float64
	// Linear weights a path from s to t, for a vertex v on it, by how near v is to t: 2*d(s,v)/d(s,t) instead of 1. A
	// path counts from both its ends, so the sum over all sources is the same; what one source adds varies less (R.
	// Geisberger, P. Sanders, D. Schultes, "Better approximation of betweenness centrality", ALENEX 2008). In the
	// formulas above,
	//
	//	c(t) = (To(t)/d(s,t) + D'(t)) * mu(t) / S(t)
	//	D(v) = 2*d(s,v) * D'(v),  D'(v) = S(v) * sum over successors t of c(t)
	//
	// and the self-check is unchanged.
	Linear bool

	// Flows says that a search sums the flow of each edge, for a question about edges or for the vertices Inside; nil: it
	// need not. Such a block has no Draws, Waived only for trips, and no Multiplicity if it has Lengths.
	Flows *Flows
	// Middles are, for a question about edges and a block with Chains, the edges that the last local vertices stand
	// for, by number. Such a vertex has no mass, and its only neighbours are the ends of its edge. Its score is the
	// edge's.
	Middles []uint32
}

// Reaches is the part of a block that searching for distances alone needs.
type Reaches struct {
	// Distances says that the block is whole components, to be searched for distances alone: see Found. It has no
	// masses, twins or chains, and its Lanes may exceed MaxLanes. In a directed block, distances are those to a vertex;
	// with Outward, whose arcs were turned round, those from it.
	Distances bool
	Outward   bool
	// Reach is, by local vertex of such a block, how many others it reaches; its self-check compares with it. nil:
	// unknown, because the graph is directed or paths have a Cutoff.
	Reach []uint32
	// Roads is such a block as chains that junctions join, where searching it that way is faster; nil elsewhere. A
	// search then finds the source's own numbers, over all that it reaches, instead of contributions to others.
	Roads *csr.Roads
	// Own says that such a block is searched from the vertices that have numbers, against the arcs if it is directed,
	// as they are far fewer than those whose distances count. A search then finds the source's own numbers, too, and
	// nothing for others.
	Own bool
	// counted marks the local vertices of such a block that have numbers of their own, where paths end at some
	// vertices only; with Own, those whose distances count; nil: all. In a block with Access it marks the vertices
	// that paths may begin at.
	counted []bool
	// follows marks the local vertices of such a block with Own whose numbers follow from those of their only successor:
	// they are no sources. nil: none.
	follows []bool
}

// names maps a block's vertices to vertices of the graph.
type names struct {
	// vertices is the graph vertex of each local vertex, or of the members of each class. The last local vertices may
	// have none. These are Middles or, in a directed block, virtual sources that others share, without in-arcs and
	// without target mass.
	vertices []uint32
	classes  []uint32  // where the members of each class begin, and the end; nil if local vertices are graph vertices
	within   []float64 // by class: ordered pairs within it that have its neighbours between them; nil if classes is
	hanging  *hanging  // what folded onto the block's vertices, in a block that Sees; nil elsewhere
	nearness []float64 // there, by class: the share of a pair within it; nil if classes is
}

// Flows numbers the edges of a block for searches that sum, with the S and c of Block, over every arc from v to t of
// their shortest paths
//
//	Result.Flows += From(s) * S(v) * c(t)
//
// The flow of an undirected edge is the sum of both directions. Where vertices have a Multiplicity, all edges between
// the members of two classes share their flow equally. The self-check of a batch is that every path is as long as its
// edges, with d in edges or in the unit of Lengths:
//
//	sum over edges of length * flow  =  sum over s, t of From(s) * To(t) * d(s,t)
type Flows struct {
	Of    []uint32 // by arc, parallel to Targets: the number of its edge in the block
	Edges []uint32 // by edge number: the graph's edge, see EdgeList
	First []uint32 // by edge number, and the end: where its edges begin in Edges, if a number stands for several; nil: for one each

	// Inside has vertices that were taken out of edges of the block. First is then nil unless the question is about
	// edges; each edge of a number has all of its flow.
	Inside *insides

	alone int // with First: how many of the first numbers stand for one edge each
}

// Count returns the number of edge numbers.
func (f *Flows) Count() int {
	switch {
	case f.Inside != nil:
		return len(f.Inside.First) - 1
	case f.First == nil:
		return len(f.Edges)
	}
	return len(f.First) - 1
}

// insides are vertices of the graph that have no mass and were taken out of a block's edges. A vertex may be inside
// several edges, and its score is the sum of their flows.
type insides struct {
	First    []uint32 // by number, and the end: where its vertices begin
	Vertices []uint32 // graph vertices
}

// contracted reports whether vertices were taken out of the block's edges.
func (b *Block) contracted() bool { return b.Flows != nil && b.Flows.Inside != nil }

// EachInside calls add for the numbers of edges, with the vertices that were taken out of each. The flow over an edge is a part
// of their scores.
func (b *Block) EachInside(add func(number int, vertices []uint32)) {
	if !b.contracted() {
		return
	}
	in := b.Flows.Inside
	for i, end := range in.First[1:] {
		add(i, in.Vertices[in.First[i]:end])
	}
}

// Repeats reports whether the block has some arcs several times, one behind the other, or shortcuts beside arcs that are as
// long. Each is a path of its own.
func (b *Block) Repeats() bool { return b.repeated > 0 || b.contracted() }

// Room returns the length of a list with room for the arcs of any vertex, either way, and one more.
func (b *Block) Room() int { return max(b.Vertices(), b.repeated) }

// Counted marks the local vertices of a block with Own whose distances count; nil: all.
func (b *Block) Counted() []bool { return b.counted }

// Within reports whether the block is for the columns of the given cutoff, one of several of the question. A block for
// all columns is for any.
func (b *Block) Within(cutoff string) bool {
	return len(b.Cutoffs) == 0 || slices.Contains(b.Cutoffs, cutoff)
}

// OneMass reports whether From and To are one slice.
func (b *Block) OneMass() bool {
	return unsafe.SliceData(b.From) == unsafe.SliceData(b.To)
}

// A waiver says that a target counts for less mass in the search from one source or, with a table of trips, for more.
type waiver struct {
	Source, Target uint32  // local vertices
	Mass           float64 // subtracted from To(Target); not whole. With trips it is negative: To is 0, and -Mass are the trips
}

// A ball is the number of vertices that the sources of a batch reach together, in a block with a Cutoff, estimated from a
// sample of the batches. It is zero if not measured.
type ball struct {
	Largest int
	Mean    float64
	Alone   bool // few of the sources share an arc: one search for each takes less time. By lengths where batches reach most
	Streets bool // at most half of an undirected block's vertices have more neighbours than two, and its arcs have lengths
}
