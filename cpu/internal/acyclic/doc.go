// Package acyclic searches directed blocks without cycles, from 32 sources at a time
// ("lanes"). Local numbers are a topological order: arcs lead from lower numbers to higher
// ones (csr.Graph.Ascends). So there is no queue, there are no levels, and nothing is
// corrected, whether arcs have lengths or not.
//
//	reach     lists the vertices that any lane reaches, in topological order
//	forward   one sweep over their arcs: distances and path counts. When a vertex comes
//	          up, everything that leads to it has been there
//	backward  one sweep the other way round: dependencies
//
// Every vertex has a row of distances, of path counts and of float64, one number per lane.
// Distances have the fewest bits that hold the longest path: 16, 32 or 64. Path counts
// have 16 bits, and all counts of a group are found again as float64 if one of them does not
// fit. Both ways give the same bits, as do all kernels.
//
// RunDistances is for blocks that are searched for distances alone; their arcs may
// descend, too.
//
//	U. Brandes, "A faster algorithm for betweenness centrality", 2001
//	T. Cormen et al., "Introduction to Algorithms", 24.2 (shortest paths of acyclic graphs)
//
// Formulas, masses and the self-check: preprocess.Block. Ownership: a Result's slices are
// the Search's until its next Run. Complexity of a group: what its sources reach, times lanes,
// and one step per 64 vertices between the first and the last reached. Memory: Bytes.
package acyclic
