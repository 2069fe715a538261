package searches

import "slices"

// Problem names what a search computes.
type Problem string

const (
	BFS  Problem = "bfs"  // hops
	SSSP Problem = "sssp" // distances by lengths
	BC   Problem = "bc"   // hops, shortest paths, dependencies
)

// Problems lists all problems.
func Problems() []Problem { return []Problem{BFS, SSSP, BC} }

// Strategy names the method of a search.
type Strategy string

// Strategies.
const (
	Vertex       Strategy = "vertex"
	Edge         Strategy = "edge"
	Queue        Strategy = "queue"
	Arcs         Strategy = "arcs"
	Workload     Strategy = "workload"
	Split        Strategy = "split"
	Hierarchical Strategy = "hierarchical"
	Direction    Strategy = "direction"
	Hybrid       Strategy = "hybrid"
	Near         Strategy = "near"
	Sampling     Strategy = "sampling" // one of two, by the depths of some searches
	Auto         Strategy = "auto"     // the fastest of the others, by trying
)

// strategy has the passes of a method of search. It has no state: the Search has it.
type strategy interface {
	// forward launches a round, from settled distances to offers, and the next
	// list.
	forward(s *Search, r round)
	// backward launches the sums over the successors of a round's vertices.
	backward(s *Search, r round)
}

// round of a search.
type round struct {
	number uint32 // from 0: with hops, the distance
	at     uint32 // its place in Sizes, and in Bases if it has a list

	// In the forward pass, known only if the strategy looks:
	vertices uint32 // at hand; entries of the list
	arcs     uint32 // that leave them; 0 without a list
	first    uint32 // where its list begins in Queue
}

// method is a strategy and its properties.
type method struct {
	strategy
	name Strategy
	only Problem // the one that it solves; "": all

	// lists reports whether rounds use a list of vertices, which the search then
	// keeps. Otherwise they use all vertices that carry the round's number.
	lists bool
	// looks reports whether a round must know how many vertices and arcs are at
	// hand. Otherwise several rounds are launched ahead.
	looks bool
	// limits reports whether a work-item has only some arcs of a vertex at a time.
	// preprocess.Block.Stride finds their number from the degrees.
	limits bool
	// splits reports whether vertices with more arcs are in the list in parts.
	splits bool
	// byDegree reports whether the device numbers the vertices by degree, highest first.
	byDegree bool
}

// known lists the strategies that launch kernels themselves, in the order of the
// documentation.
func known() []method {
	return []method{
		{name: Vertex, strategy: vertex{}},
		{name: Edge, strategy: edge{}},
		{name: Queue, strategy: queue{}, lists: true},
		{name: Arcs, strategy: arcs{}, lists: true},
		{name: Workload, strategy: workload{}, lists: true},
		{name: Split, strategy: split{}, lists: true, limits: true, splits: true},
		{name: Hierarchical, strategy: hierarchical{}, lists: true, looks: true, limits: true},
		{name: Direction, strategy: direction{}, only: BFS, lists: true, byDegree: true},
		{name: Hybrid, strategy: hybrid{}, lists: true, looks: true},
		{name: Near, strategy: near{}, only: SSSP, lists: true},
	}
}

func (m method) solves(p Problem) bool { return m.only == "" || m.only == p }

// Solving lists the strategies for a problem, in the order of the documentation.
func Solving(p Problem) (list []Strategy) {
	for _, s := range known() {
		if s.solves(p) {
			list = append(list, s.name)
		}
	}
	return list
}

// find returns the strategy of a name for a problem.
func find(name Strategy, p Problem) (found method, ok bool) {
	list := known()
	i := slices.IndexFunc(list, func(m method) bool { return m.name == name && m.solves(p) })
	if i < 0 {
		return found, false
	}
	return list[i], true
}
