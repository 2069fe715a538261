// Package searches searches a graph on a device, from one source at a time. It has the
// methods that papers on graph traversal compare: each is a strategy, composed of a few
// kernels. Batches of sources belong to package gpu, and are much faster where there
// are many sources.
//
// Flow:
//
//	Starter.Single     a Device, of package gpu
//	New                Searches on it: the kernels, built once per problem
//	Searches.Of        a Search of one graph for one problem by one strategy
//	Search.Run         from one source; Search.Found reads the result
//
// For rows of distances in the form that cores make, without a comparison:
//
//	Searches.NewLanes      hops from up to 256 sources at once
//	Searches.NewByLengths  lengths, a source at a time, by one of two strategies
//	Searches.Independent   no search: a maximal independent set
//
// A search goes in rounds. The frame, search.go, launches rounds ahead of what it knows,
// and checks every few rounds whether any work was left. A strategy (strategy.go) says
// what a round launches, whether a list or all vertices are at hand, and how arcs are
// shared among work-items. The problem defines what happens along an arc
// (kernels/common.cl). So a strategy is one Go file and the kernels of one file, and
// knows nothing of problems.
//
// Problems: BFS, hops; SSSP, distances by the graph's lengths, by relaxing arcs round
// after round (R. Bellman, "On a routing problem", 1958), as in the papers; BC, path
// counts in the forward pass, dependencies in the backward pass (U. Brandes, 2001; see
// preprocess.Block).
//
// Units: distances are 32-bit numbers in the unit of the graph's lengths, NONE for
// unreached vertices; path counts and dependencies are float64. Ownership: the graph is
// read only. Distances do not depend on the order of work-items, nor do path counts
// below 2^53. Dependencies and larger counts are added up in no fixed order. They may
// differ in their last bits from run to run, unlike those of batches.
//
// Complexity, n vertices, m arcs, d rounds: strategies with a list O(n + m) for BFS and
// BC, the others O((n + m) d); SSSP O(nm) at worst. Memory: see Search.Bytes.
package searches
