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

// strategy is one method of search. It has no state: the Search has it.
type strategy interface {
	// solves reports whether the strategy is for a problem.
	solves(p Problem) bool
	// lists reports whether rounds use a list of vertices, which the search then
	// keeps. Otherwise they use all vertices that carry the round's number.
	lists() bool
	// looks reports whether a round must know how many vertices and arcs are at
	// hand. Otherwise several rounds are launched ahead.
	looks() bool
	// forward launches a round, from settled distances to offers, and the next
	// list.
	forward(s *Search, r round) error
	// backward launches the sums over the successors of a round's vertices.
	backward(s *Search, r round) error
}

// limited is a strategy that limits how many arcs of a vertex a work-item has at a
// time: to the number that preprocess.Block.Stride finds from the degrees.
type limited interface {
	// splits reports whether vertices with more arcs are in the list in parts.
	splits() bool
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

// known lists the strategies that launch kernels themselves, in the order of the
// documentation.
func known() []named {
	return []named{
		{Vertex, vertex{}}, {Edge, edge{}}, {Queue, queue{}}, {Arcs, arcs{}}, {Workload, workload{}},
		{Split, split{}}, {Hierarchical, hierarchical{}}, {Direction, direction{}}, {Hybrid, hybrid{}},
		{Near, near{}},
	}
}

type named struct {
	name Strategy
	strategy
}

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
func find(name Strategy, p Problem) (strategy, bool) {
	list := known()
	i := slices.IndexFunc(list, func(s named) bool { return s.name == name && s.solves(p) })
	if i < 0 {
		return nil, false
	}
	return list[i].strategy, true
}
