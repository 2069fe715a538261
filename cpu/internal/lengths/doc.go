// Package lengths searches blocks whose arcs have lengths, from sixteen sources at
// a time ("lanes"), of which every vertex has a row of sixteen numbers.
//
// Sources that lie near to one another see nearly the same shortest paths, but
// with lengths they share no levels: each has distances of its own. So a group of
// sixteen is searched in four steps, of which groups of one batch share the first.
//
//	settle    one textbook search, from the batch's first source, puts the vertices
//	          in order of their distance: their ranks. Where the sources are spread
//	          over the block, the sum of all their distances ranks better, as soon as
//	          they are known
//	relax     one label-correcting search for all lanes, in that order: a vertex
//	          whose row has changed offers it to its neighbours. What turns out to
//	          be wrong is mended in another sweep over a window of ranks, as wide
//	          as the sources are away from the first. Vertices with few arcs are left
//	          out, and come last, in one sweep: see hierarchy
//	link      one pass writes down which arcs are on shortest paths, in which
//	          lanes: about one per vertex
//	count     path counts in one sweep by rank, and dependencies in one the other way
//	          round. A lane of a vertex is computed once, as soon as all that it is a
//	          sum of are there, and summed in the order of the neighbours: with the
//	          whole row, or by itself if it waits for what the sweep comes to later
//
// RunDistances takes the first two alone, for what is made of distances: from thirty-two
// sources at a time, whose distances have 16 bits, unless one shows that these are too few. Of a block with
// Flows the path counts are kept, and what goes over every link is added up at the end.
//
// Distances are whole numbers, so that ties are exact: where paths are counted, of 32 bits if the
// longest allows it, else of 64. Equal batches give equal bits, whichever worker
// computes them and with which instructions.
//
//	U. Meyer, P. Sanders, "Delta-stepping: a parallelizable shortest path
//	    algorithm", J. Algorithms 49 (2003) (windows of labels that are corrected)
//	U. Brandes, "A faster algorithm for betweenness centrality", 2001
//
// Formulas and masses: preprocess.Block. For a source s, Got is its own dependency
// D_s(s), and Want the target mass that it reaches but for its own: every path that
// begins at s leaves s once; of RunDistances, the vertices that were reached and those
// that Block.Reach says are. Ownership: a Result's slices are the Search's until
// its next Run. Of a mesh, a vertex is visited 1.1 times per group to find its distances
// and 2 times for counts and dependencies; of a social graph 4 to 6 and 3 times, beside the lanes by themselves. Memory:
// Bytes.
package lengths
