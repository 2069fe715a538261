// Package acyclic searches directed blocks with no cycles, or few, from 32 sources at a time
// ("lanes"). Local numbers are a topological order: arcs lead from lower numbers to higher
// ones, except inside knots (csr.Knots, see knots.go). So a search needs no queue and no levels, and never corrects
// a distance, whether arcs have lengths or not.
//
//	reach     lists the vertices that any lane reaches, in topological order
//	forward   one sweep over their arcs: distances and path counts. All predecessors of a
//	          vertex come before it
//	backward  one sweep in reverse: dependencies
//
// Every vertex has a row of distances, of path counts and of float64, one number per lane.
// Distances have the fewest bits that hold the longest path: 16, 32 or 64. Path counts
// have 16 bits. If one does not fit, all counts of its group are computed again as float64.
// Both give the same bits, as do all kernels.
//
// RunDistances finds distances alone; the arcs of its blocks may
// descend, too.
//
//	U. Brandes, "A faster algorithm for betweenness centrality", 2001
//	T. Cormen et al., "Introduction to Algorithms", 24.2 (shortest paths of acyclic graphs)
//
// Formulas, masses and the self-check: preprocess.Block. Ownership: a Result's slices belong to
// the Search, and hold until its next Run. Complexity of a group: the vertices and arcs that it reaches, times lanes,
// and one step per 64 vertices between the first and the last reached. Memory: Bytes.
package acyclic
