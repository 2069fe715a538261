package preprocess

import (
	"slices"

	"bcstage/internal/building"
	"bcstage/internal/draws"
	"bcstage/internal/engine"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// Plan is the work that is left to compute, and the closed forms of the rest.
type Plan struct {
	ClosedForms []closedForm   // of the measures that have some
	Blocks      []Block        // to traverse; most work first
	Batches     []engine.Batch // of all blocks, in the order of Blocks

	facts
	routes
	sizes

	// EdgeEnds are, for a question about edges, the Ends of EdgeList.
	EdgeEnds [2][]uint32

	cutoff int64 // largest length of a path, or noCutoff: see Block.Cutoff

	Drawn  *draws.Drawn  // how scores are estimated from sources; nil: they are not
	Paired *draws.Paired // how scores are estimated from pairs; nil: they are not

	Question    question.Question // what the plan is for
	Vertices    int               // n of the graph
	Edges       int64             // m of the graph
	Reductions  []Reduction       // all that apply, in the order of steps, and whether they were on
	Fingerprint [32]byte          // of the reduced graph, the question, and the options that decide the batches
}

// facts are columns that need no search, by graph vertex; nil where the question asks for none of them.
type facts struct {
	// ComponentSizes is the number of vertices of its component, by graph vertex; nil unless the options or the
	// question ask for it.
	ComponentSizes []uint32
	// ComponentOf is, by graph vertex, the number of its component, from 0 in the
	// order of their first vertices; nil unless the question asks for it.
	ComponentOf []uint32

	// IndependentSet is, by graph vertex, 1 for the members of a maximal independent set,
	// else 0; nil unless the question asks for it.
	IndependentSet []uint32

	// Degrees is, by graph vertex, the number of its neighbours; in a directed graph, of its successors. InDegrees is
	// that of its predecessors. Both are nil unless the question asks for them.
	Degrees, InDegrees []uint32

	// IsSource and IsTarget are, by graph vertex, 1 where paths begin, or end, and 0 elsewhere. They are nil unless the
	// question is about some vertices and a measure needs their number.
	IsSource, IsTarget []uint32

	// TargetMass is, by graph vertex, the mass that ends there, in the question's units; nil unless the question asks for it.
	TargetMass []int64
}

// routes are sums over the pairs of vertices with masses.
type routes struct {
	// Routed, NoPath and Self are set where vertices have masses. They are the sums of source mass times target mass
	// over the ordered pairs of vertices with a path of any length, those without one, and of each vertex with itself.
	// Where the mass of a source is spread over what it reaches, they are sums of source mass alone: of vertices that
	// reach some target mass, of vertices that reach none, and 0. Under a table of trips, they are the sums of trips.
	Routed, NoPath, Self wholes.Wide
	Unrouted             []building.Trip // trips without a path, or from a vertex to itself, in order
}

// sizes counts what reductions found.
type sizes struct {
	Components   int
	Pruned       int64 // edges removed by pruning; 0 in a plan from a file
	Folded       int   // vertices removed by folding
	Twins        int   // vertices that a twin stands for
	BlockCount   int   // biconnected components left by folding, closed-form ones included
	LargestBlock int   // vertices of the largest
}

// A closedForm is the part of a measure that reductions alone give.
type closedForm struct {
	Measure      string // its key: measures.Measure.Key
	wholes.Forms        // by graph vertex, or by edge; for betweenness: ordered pairs, at most n^2 < 2^62, or products of masses
}

// ClosedForm returns the values for the measure with that key; empty if there are none.
func (p *Plan) ClosedForm(measure string) wholes.Forms {
	for _, c := range p.ClosedForms {
		if c.Measure == measure {
			return c.Forms
		}
	}
	return wholes.Forms{}
}

// off reports whether the reduction of that name is off.
func (p *Plan) off(name string) bool {
	return slices.ContainsFunc(p.Reductions, func(r Reduction) bool { return r.Name == name && r.Off != "" })
}

// Reduction says whether a reduction was on.
type Reduction struct {
	Name string `json:"name"`
	Off  string `json:"off,omitempty"` // why it was off: the flag of the question that it is not exact for, or in words; empty: it was on
}

// noCutoff says that paths of any length count.
const noCutoff = -1
