package preprocess

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/preprocess/question"
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

// Batch is the unit of work: some consecutive sources of one block. A plan's
// batches are numbered; the number is stable for equal input and options.
type Batch struct {
	Index int // position in Plan.Batches
	Block int // position in Plan.Blocks
	First int // first source: Blocks[Block].Sources[First:First+Count]
	Count int // 1..Lanes
	Roots int // with chains: junctions that the sources hang on; else 0
}

// Result is what an engine found for one batch, or for several that follow each
// other in the plan and are of one block: a device adds many batches up before
// the host sees a score. The slices are the engine's and may be overwritten as
// soon as the receiver returns.
type Result struct {
	Batch  Batch     // the first batch
	More   int       // batches that follow it and are covered too
	Scores []float64 // by local vertex of the block: sum over the batches' sources s of From(s)*D_s(v)/mu(v)
	Got    []float64 // by source of the batches: sum of D(v), v != s; with lengths D(s)
	Want   []float64 // by source of the batches: sum of To(t)*(d-1), t != s; with lengths of To(t)
	Work   Work

	// Drawn and Squares are for blocks that have Draws: by local vertex the sums over
	// the sources of Draws(s)*x and Draws(s)*x*x, x being D_s(v)/mu(v).
	Drawn, Squares []float64
	// Flows are, of a block that has Flows, what went over each of its edges, and FlowGot
	// and FlowWant the two sides of their self-check.
	Flows             []float64
	FlowGot, FlowWant float64
	// FlowsAt are the edges with Flows, where the engine knows them: in many batches, most edges
	// have none. nil: any may have. An engine that knows them has seen to it that no flow is negative,
	// and FlowGot is then the sum of all.
	FlowsAt []uint32
	// At are the local vertices that may have something in Scores, Drawn, Squares and Found, where the
	// engine knows them: under a Cutoff, most have nothing in most batches. nil: any may have.
	At []uint32
	// Found is, of a block with Distances, what the searches found by local vertex, in
	// place of Scores. Got and Want are then one number each, as with Together: the
	// vertices that the searches reached, and those that Block.Reach says they reach.
	Found []Found

	// Access is, of a block with Access, by source of the batches what it reaches.
	Access []Access

	// Together says that the engine does not tell the sources apart: Got and Want
	// are one number each, the sum over all sources s of From(s) times theirs.
	Together bool
}

// Work counts what a batch cost, for the figures that explain speed.
type Work struct {
	FrontierEntries int64 // (vertex, level) pairs visited
	RowLoads        int64 // lane rows read, both passes
}

// Plan is everything that is left to compute, and the closed forms of what is not.
type Plan struct {
	ClosedForms []ClosedForm // of the measures that have some
	Blocks      []Block      // to traverse; most work first
	Batches     []Batch      // of all blocks, in the order of Blocks

	// ComponentSizes is, by graph vertex, how many vertices its component has;
	// nil unless the options or the question ask for it.
	ComponentSizes []uint32
	// ComponentOf is, by graph vertex, the number of its component, from 0 in the
	// order of their first vertices; nil unless the question asks for it.
	ComponentOf []uint32

	// IndependentSet is, by graph vertex, 1 for the members of a maximal independent set,
	// else 0; nil unless the question asks for it.
	IndependentSet []uint32

	// EdgeEnds are, for a question about edges, the Ends of EdgeList.
	EdgeEnds [2][]uint32

	// Degrees is, by graph vertex, its neighbours, of a directed graph those that its
	// arcs lead to, and InDegrees those that lead to it; nil unless the question asks
	// for them.
	Degrees, InDegrees []uint32

	// IsSource and IsTarget are, by graph vertex, 1 where paths begin, or end, and 0 elsewhere;
	// nil unless the question is about some and what is asked of them takes their number.
	IsSource, IsTarget []uint32

	// TargetMass is, by graph vertex, the mass that ends there, in the question's units; nil unless the question asks for it.
	TargetMass []int64

	// Routed, NoPath and Self are, where vertices have masses, the sums of source mass times target mass over the
	// ordered pairs of vertices with a path, of whatever length, those without, and of each vertex with itself. Where
	// what begins at a vertex is spread over what it reaches, they are of source mass alone: of the vertices that reach some
	// target mass, of those that reach none, and 0. Under a table of trips, they are the sums of trips between them.
	Routed, NoPath, Self Wide
	Unrouted             []Trip // those without a path, or from a vertex to itself, in order

	cutoff int64 // how long paths may be, or noCutoff: see Block.Cutoff

	Drawn  *Drawn  // that scores are estimated from sources, and from which; nil: they are not
	Paired *Paired // that they are estimated from pairs; nil: they are not

	Question     question.Question // that the plan is made for
	Vertices     int               // n of the graph
	Edges        int64             // m of the graph
	Reductions   []Reduction       // which were on, in the order in which they are made
	Components   int
	Pruned       int64    // edges removed by pruning; 0 of a plan from a file
	Folded       int      // vertices removed by folding
	Twins        int      // vertices that a twin stands for
	BlockCount   int      // biconnected components left by folding, closed-form ones included
	LargestBlock int      // vertices of the largest
	Fingerprint  [32]byte // of the reduced graph, the question, and the options that decide the batches
}

// ClosedForm is what reductions alone say of a measure.
type ClosedForm struct {
	Measure string // its key: question.Measure.Key
	Forms          // by graph vertex, of edges by edge; betweenness of either: ordered pairs, at most n^2 < 2^62, or products of masses
}

// ClosedForm gives the values for the measure of that key; none: there are none.
func (p *Plan) ClosedForm(measure string) Forms {
	for _, c := range p.ClosedForms {
		if c.Measure == measure {
			return c.Forms
		}
	}
	return Forms{}
}

// Restore turns, in place, the sums of what engines found into scores: sums[v]
// is, by graph vertex, the sum of every Result's Scores as Block.Each hands
// them out (ordered pairs); the score is closed form + sum, of an undirected
// graph half of that (unordered pairs). With masses pairs are ordered always, and scores in products of their units.
func Restore(q question.Question, closed Forms, sums []float64) {
	each := 2.0
	if q.Directed || q.HasMasses() {
		each = 1
	}
	for v := range sums {
		sums[v] = (closed.At(v).Float() + sums[v]) / each
	}
}

// ErrOptions says that an option is out of its limits.
var ErrOptions = errors.New("invalid options")

// Options of Reduce. The zero value asks for the defaults.
type Options struct {
	Question question.Question // what is asked of the graph

	// Sources and Targets are the vertices where paths begin, and end, ascending and
	// each once, if the question is about some; else nil.
	Sources, Targets []uint32

	// Origins and Destinations are, by vertex, source and target masses in units of the question's
	// Masses, if it has some; else nil: each vertex has 1.
	Origins, Destinations []int64

	// Trips are, if the question is about some, how much goes between vertices, ascending by source, then target, each
	// pair once: see SumTrips.
	Trips []Trip

	// Edges numbers those of the graph, if the question is about them; nil: NewEdgeList.
	Edges *building.EdgeList

	// Divisor is how many units of the question's lengths are 1 in the graph's:
	// Scale.Divisor. 0: one.
	Divisor int64

	Threads int // goroutines; 0: GOMAXPROCS
	Lanes   int // sources per batch: 0 (chosen per block), or 1..64

	ComponentSizes bool // keep Plan.ComponentSizes

	// Independent, if set, finds Plan.IndependentSet of the undirected graph that the
	// arcs make; CheckIndependent has passed what it returns. nil without an error leaves
	// it to Reduce. Its error ends Reduce.
	Independent func(ctx context.Context, g *csr.Graph) ([]uint32, error)

	// Fits, if set, is asked before much memory is taken whether so many bytes
	// may be held in all, the graph's own included. Its error ends Reduce.
	Fits func(bytes int64) error

	Off []string // reductions to leave out, by name, to compare
}
