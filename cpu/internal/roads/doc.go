// Package roads finds the sums of distances of blocks that are laid out as roads
// (csr.Roads): chains of vertices with two neighbours, junctions that they join, and trees that hang
// on both. It searches only from junctions, over junctions, and derives all other
// distances.
//
// The sums of a vertex follow from its list: the number of vertices at each
// distance. One list follows from another:
//
//	junction j   one list of the distances from j, with the chains filled in
//	inside       every path from place p of a chain of length L leaves by its end a or its
//	             end b: d(p,u) = min(p + d(a,u), L-p + d(b,u)). It leaves by a while
//	             2p <= L + d(b,u) - d(a,u). Counts by d(a,u) and by that
//	             difference say how many vertices move from a's list to b's at each place
//	hanging      a vertex that hangs on another is one farther from all vertices outside its
//	             subtree than the other is, and one nearer to all inside
//
// Vertices inside the same chain, and vertices that hang there, are counted one by one.
//
// (A.E. Sariyuce et al. remove and merge vertices with one and two neighbours for closeness,
// "Graph manipulations for fast centrality computation", TKDD 2017. This package keeps whole
// lists, which harmonic centrality needs.)
//
// Flow of a batch: first the distances of its junctions and of the first ends of its chains, by lanes
// (package lengths). Then, for each junction, all distances from it, its list and the lists of
// vertices that hang on it. Last the lists of every chain whose second end it is. Units:
// edges. Results equal those of package distances to the bit, but each source has its own
// sums. Ownership: a Search belongs to one goroutine, and the next batch overwrites a result's
// slices. Complexity, with J junctions, H chains with
// vertices inside, and depth D: O((J + H) n + n D) counts, and J searches over
// junctions. Memory: Bytes.
package roads
