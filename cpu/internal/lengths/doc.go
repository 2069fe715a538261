// Package lengths searches blocks whose arcs have lengths, from sixteen sources at
// a time ("lanes"). Every vertex has a row of sixteen numbers.
//
// Sources near one another have nearly the same shortest paths, but
// with lengths they share no levels: each has distances of its own. So a group of
// sixteen is searched in four steps; groups of one batch share the first.
//
//	settle    one textbook search, from the batch's first source, orders the vertices
//	          by distance: their ranks. If the sources are spread
//	          over the block, the sum of all their distances ranks better, once
//	          it is known
//	relax     one label-correcting search for all lanes, in that order: a vertex
//	          whose row has changed offers it to its neighbours. Further sweeps correct
//	          wrong distances within a window of ranks, as wide
//	          as the distance of the sources from the first. Vertices with few arcs are left
//	          out, and come last, in one sweep: see hierarchy
//	link      one pass stores the arcs on shortest paths, with their
//	          lanes: about one arc per vertex
//	count     path counts in one sweep by rank, and dependencies in one in
//	          reverse. A lane of a vertex is computed once, when all its terms are
//	          known, and summed in the order of the neighbours. If a term comes later in
//	          the sweep, its vertex is visited again, in all lanes that are ready by then.
//	          Vertices from which no link leads back to the sources are visited once: see peeling
//
// RunDistances takes the first two steps only, for distances alone. It searches from thirty-two
// sources at a time with distances of 16 bits, unless one does not fit. For a block with
// Flows a search keeps the path counts, and adds up the flow over every link at the end.
//
// Distances are whole numbers, so ties are exact. Path counting uses 32 bits for them if the
// longest allows it, else 64. Equal batches give equal bits, whichever worker
// computes them and with which instructions.
//
//	U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path
//	    algorithm", J. Algorithms 49 (2003) (windows of labels that are corrected)
//	U. Brandes, "A faster algorithm for betweenness centrality", 2001
//
// Formulas and masses: preprocess.Block. For a source s, Got is its own dependency
// D_s(s), and Want the target mass that it reaches without its own: every path that
// begins at s leaves s once. In RunDistances, Got and Want are numbers of reached vertices. Ownership: a
// Result's slices belong to the Search, and hold until
// its next Run. In a mesh, a vertex is visited 1.1 times per group for distances
// and 2 times for counts and dependencies. In a social graph it is 4 to 6 and 4 times.
// Memory: Bytes.
package lengths
