package preprocess

import (
	"slices"

	"bcstage/preprocess/question"
)

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

// off tells whether the reduction of that name is.
func (p *Plan) off(name string) bool {
	return slices.ContainsFunc(p.Reductions, func(r Reduction) bool { return r.Name == name && r.Off != "" })
}

// Reduction says whether a reduction was on.
type Reduction struct {
	Name string `json:"name"`
	Off  string `json:"off,omitempty"` // why it was off: the flag of a question that it is not exact for, or in words; empty: it was on
}

// noCutoff says that paths of any length count.
const noCutoff = -1
