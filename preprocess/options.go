package preprocess

import (
	"context"
	"errors"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/spill"
	"bcstage/preprocess/question"
)

// Options of Reduce. The zero value asks for the defaults.
type Options struct {
	Question question.Question // the question about the graph

	// Sources and Targets are the vertices where paths begin, and end, ascending and each once, if the question is
	// about some; else nil.
	Sources, Targets []uint32

	// Origins and Destinations are, by vertex, source and target masses in units of the question's Masses, if it has
	// some; else nil: each vertex has mass 1.
	Origins, Destinations []int64

	// Trips are, if the question is about some, the counts of trips between vertices, ascending by source, then
	// target, each pair once: see building.SumTrips.
	Trips []building.Trip

	// Edges numbers those of the graph, if the question is about them; nil: NewEdgeList.
	Edges *building.EdgeList

	// Copies has the number of copies of each edge, if the question keeps repeated edges; nil: one of each.
	Copies *building.Copies

	// Divisor is the number of units of the question's lengths in one unit of the graph's: Scale.Divisor. 0: one.
	Divisor int64

	Threads int // goroutines; 0: GOMAXPROCS
	Lanes   int // sources per batch: 0 (chosen per block), or 1..64

	ComponentSizes bool // keep Plan.ComponentSizes
	Drawn          bool // sources may be drawn from the plan: those that send other parts of their masses stay apart
	Draws          int  // at most so many are drawn; 0: any number

	// Unsummed leaves out Plan.Self, Routed and NoPath. They take a sweep of what each vertex of a directed graph reaches.
	Unsummed bool

	// Independent, if set, finds Plan.IndependentSet of the undirected graph that the arcs make, and checks it with
	// independent.Check. If it returns nil without an error, Reduce finds the set. Its error ends Reduce.
	Independent func(ctx context.Context, g *csr.Graph) ([]uint32, error)

	// Spend says that the graph's rows are not needed any more. If the question is about undirected hops and
	// betweenness alone, Reduce writes the plan over them and leaves the graph without Targets.
	Spend bool

	// Files are where edges go that Fits refuses while a core is written over the graph's rows; nil: nowhere.
	Files *spill.Files

	// Fits, if set, is asked before much memory is allocated whether that many bytes may be held in all, the graph's
	// own included. Its error ends Reduce.
	Fits func(bytes int64) error

	Off []string // reductions to leave out, by name, for comparison
}

// errOptions says that an option is out of its limits.
var errOptions = errors.New("invalid options")
