package preprocess

import (
	"slices"
	"unsafe"

	"bcstage/internal/csr"
)

// Block is one biconnected component of what folding leaves, with the mass
// of everything outside it moved onto its vertices: the unit of traversal.
// Local vertex numbers follow breadth-first order or, where a directed block has no
// cycles, are such that its arcs ascend.
//
// What an engine computes for a source s (U. Brandes, "A faster algorithm for
// betweenness centrality", 2001, with masses), mu = Multiplicity (1 when nil):
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
// Arcs with lengths (Graph.Lengths) change who precedes whom, and nothing else:
// u precedes v if d(s,u) + length(u,v) = d(s,v). The sum of D is then no multiple of
// a distance, and the self-check is that nothing gets lost on the way back, D(s)
// being what the formula above gives for the source:
//
//	D(s)  =  sum over t != s that s reaches of To(t)
//
// Between all pairs, what begins at a vertex ends there too: From and To are
// then one slice, of original vertices that each vertex stands for, and sum to
// the component's size.
type Block struct {
	csr.Graph // local numbers
	Paths
	Reaches
	names

	Sources []uint32 // every local vertex with source mass once, such that those of a batch share levels
	Lanes   int      // sources per batch

	// Farness says, by local vertex, by how many levels a source is farther off
	// than the others of its batch; nil when it was not measured. Searches of
	// several sources at once share more levels if the far-off sources start
	// first: source s of a batch at level max(Farness of the batch) - Farness[s].
	// It halves the work on meshes and road networks.
	Farness []uint16

	// Entries is about the most frontier entries, (vertex, level) pairs, that a
	// batch has: as the landmarks see it, or a bound. Engines make room for them.
	// It is 0 for blocks with Chains.
	Entries int

	// Cutoff is how long a path may be to count, 2 or more, in edges or in what Lengths
	// are multiples of; 0: any length. A vertex that is farther from a source is as good as
	// not reached, in the formulas and in the self-check. With Distances or Access, and for a
	// question about edges, it may be 1.
	Cutoff int

	// Cutoffs are, where the question has several, those whose columns the block is for, as the question writes them.
	Cutoffs []string

	// Ball is what a batch reaches within the Cutoff.
	Ball Ball

	// Near is, of a part that one batch reaches (see Parts), by local vertex the distance from the nearest source
	// of the batch, by which local vertices are in order; nil elsewhere.
	Near []int64

	// Chains is the block as junctions joined by chains, where searching it that
	// way pays (road networks); nil elsewhere. Such a block has no twins, Sources
	// in the order of Chains.Sources, and maybe more Lanes than MaxLanes.
	Chains *Chains

	turned bool // while the plan is made: paths are the other way round than in the graph, see turnBlocks
}

// Paths is the part of a block that counting paths takes.
type Paths struct {
	From         []float64 // source mass: paths that begin at each vertex, or outside beyond it; whole numbers
	To           []float64 // target mass: paths that end there; whole numbers
	Multiplicity []float64 // members of each twin class; nil when every class has one

	// Decay leaves of a target's mass a share by its distance from the source: To(t) is then Seed(t, d(s,t)) in the
	// formulas of Block and in the self-check, and From(s) is Sends(s, what s sees). nil: all of it. Such a block has no
	// Waived, Draws or Flows.
	Decay *Decay
	// Access says, of a block with Decay and without Multiplicity, that a search also tells what every source reaches:
	// Result.Access. Sources are then all vertices that paths may begin at, whatever mass they have.
	Access bool

	// Waived are, of a directed block, targets that count for less in the searches
	// from some sources, by source: c(t) is then of To(t) - Mass, and so is the right
	// side of the self-check. Of any block of a question about trips they are all targets
	// that count, with what goes there below 0 (HasTrips). A source that others share, as they have the same paths
	// onwards, comes to vertices that are sources of its own.
	Waived []Waiver

	// Draws, where scores are estimated from some sources, is how often each was
	// drawn in its stage, by local vertex; nil: every source counts by its mass alone.
	// See Plan.Draw.
	Draws []float64
	// Linear has a path from s to t count for a vertex on it as much as the vertex is
	// near to t: 2*d(s,v)/d(s,t), where it would be 1. A path counts from both its
	// ends, so that what all sources add up to is the same; what one source says
	// varies less (R. Geisberger, P. Sanders, D. Schultes, "Better approximation of
	// betweenness centrality", ALENEX 2008). In the formulas above,
	//
	//	c(t) = (To(t)/d(s,t) + D'(t)) * mu(t) / S(t)
	//	D(v) = 2*d(s,v) * D'(v),  D'(v) = S(v) * sum over successors t of c(t)
	//
	// and the self-check stays as it is.
	Linear bool

	// Flows says, for a question about edges, that a search adds up what goes over each;
	// nil: it need not. Such a block has no Draws, and Waived of trips only, and if it has Lengths no Multiplicity.
	Flows *Flows
	// Middles are, for such a question and a block with Chains, the edges by number that
	// the last local vertices stand for, so many: each has none but the ends of its edge for
	// neighbours, and no mass. What a search finds for it is the edge's.
	Middles []uint32
}

// Reaches is the part of a block that searching for distances alone takes.
type Reaches struct {
	// Distances says that the block is whole components, to be searched for distances
	// alone: see Found. It has no masses, twins or chains, and maybe more Lanes
	// than MaxLanes. Of a directed graph, what is found is about the distances to a
	// vertex; of one whose arcs were turned round for it, Outward, from it.
	Distances bool
	Outward   bool
	// Reach is, by local vertex of such a block, how many others it reaches: what its
	// self-check is held to. nil: that is not known, the graph being directed, or paths
	// having a Cutoff.
	Reach []uint32
	// Roads is such a block as chains that junctions join, where searching it that way
	// pays; nil elsewhere. What is found of a source is then its own numbers, all that
	// it reaches, in place of what it adds to others.
	Roads *Roads
	// Own says that such a block is searched from the vertices that have numbers, against the
	// arcs if it is directed, as they are far fewer than those whose distances count. What is
	// found of a source is then its own numbers, too, and nothing is found of others.
	Own bool
	// counted are, by local vertex of such a block, those that have numbers of their own,
	// where paths end at some vertices only, and with Own those whose distances count; nil: all. Of a
	// block with Access they are those that paths may begin at.
	counted []bool
}

// names is the part of a block that says which vertices of the graph its own are.
type names struct {
	// Graph vertex of each local vertex, or of the members of each class. The last
	// local vertices may have none: they are Middles or, of a directed block, virtual,
	// sources that others share, without arcs in and without mass as targets.
	vertices []uint32
	classes  []uint32  // where the members of each class begin, and the end; nil if local vertices are graph vertices
	within   []float64 // by class: ordered pairs within it that have its neighbours between them; nil like classes
}

// Flows numbers the edges of a block for searches that add up, with the S and c of
// Block, over every arc from v to t of their shortest paths
//
//	Result.Flows += From(s) * S(v) * c(t)
//
// An undirected edge has what goes over it either way, and where vertices have a Multiplicity, what goes
// over all edges between the members of two classes, an equal share over each. The self-check of a batch is that
// every path is as long as its edges, d being in edges or in what Lengths count:
//
//	sum over edges of length * flow  =  sum over s, t of From(s) * To(t) * d(s,t)
type Flows struct {
	Of    []uint32 // by arc, beside Targets: the number of its edge in the block
	Edges []uint32 // by that number: the graph's edge, see EdgeList
	First []uint32 // by that number, and the end: where its edges begin in Edges, if some stand for several; nil: for one each

	alone int // with First: how many numbers, the first, are of one edge
}

// Count is how many numbers there are.
func (f *Flows) Count() int {
	if f.First == nil {
		return len(f.Edges)
	}
	return len(f.First) - 1
}

// Counted are, by local vertex of a block with Own, those whose distances count; nil: all.
func (b *Block) Counted() []bool { return b.counted }

// Within tells whether the block is for the columns of one of several cutoffs of the question; of a block that is
// for all columns, of any.
func (b *Block) Within(cutoff string) bool {
	return len(b.Cutoffs) == 0 || slices.Contains(b.Cutoffs, cutoff)
}

// OneMass tells whether From and To are one slice.
func (b *Block) OneMass() bool {
	return unsafe.SliceData(b.From) == unsafe.SliceData(b.To)
}

// Waiver says that a target counts for less mass in the search from one source; or, of a table of trips, for more.
type Waiver struct {
	Source, Target uint32  // local vertices
	Mass           float64 // that To(Target) is less by; not whole. Of trips below 0: To is 0, and they are -Mass
}

// Ball is how many vertices of a block with a Cutoff the sources of a batch reach, all together, by a
// sample of the batches. It is zero where nobody has looked.
type Ball struct {
	Largest int
	Mean    float64
}
