// Package searches searches a graph from one source at a time on a device, in the ways
// that papers on graph traversal compare: each a strategy, composed of a few kernels.
// Batches of sources are package gpu's, and much faster where there are many.
//
// Flow:
//
//	gpu.OpenSearches   a Device
//	New                Searches on it: the kernels, built once per problem
//	Searches.Of        a Search of one graph for one problem by one strategy
//	Search.Run         from one source; Search.Found reads what it found
//
// For who wants rows of distances as cores make them, and not a comparison:
//
//	Searches.NewLanes      hops from up to 256 sources at once
//	Searches.NewByLengths  lengths, a source at a time, by one of two strategies
//	Searches.Independent   no search: a maximal independent set
//
// A search goes in rounds. The frame, search.go, launches rounds ahead of what it
// knows, and looks every few rounds whether anything was left to do. A strategy
// (strategy.go) says what a round launches: what is at hand, all vertices or a list,
// and how its arcs are shared out among work-items. What happens along an arc is the
// problem's affair (kernels/common.cl). So a strategy is one Go file and the kernels
// of one file, and knows nothing of problems.
//
// Problems: BFS, hops; SSSP, distances by the graph's lengths, by relaxing arcs round
// after round (R. Bellman, "On a routing problem", 1958), as the papers do; BC,
// shortest paths counted on the way out, dependencies added up on the way back (U.
// Brandes, 2001; see preprocess.Block).
//
// Units: distances are 32-bit numbers of what the graph's lengths count, NONE where
// nothing leads; path counts and dependencies float64. Ownership: the graph is read
// only. Distances are the same whoever is first; so are path counts below 2^53;
// dependencies and larger counts are added up in no fixed order, and may differ in
// their last bits from run to run, unlike those of batches.
//
// Complexity, n vertices, m arcs, d rounds: strategies with a list O(n + m) for BFS and
// BC, the others O((n + m) d); SSSP O(nm) at worst. Memory: see Search.Bytes.
package searches
