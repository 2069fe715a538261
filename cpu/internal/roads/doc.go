// Package roads finds the sums of distances of blocks that are laid out as roads: chains
// of vertices with two neighbours, junctions that they join, and trees that hang on both
// (preprocess.Roads). It searches from junctions, over junctions, and takes everything
// else from there.
//
// What is wanted of a vertex, how many others are how far from it, is a list of counts
// by distance. Such lists follow from one another:
//
//	junction j   one list of the distances from j, which chains fill in
//	inside       every way from place p of a chain of length L goes by its end a or its
//	             end b: d(p,u) = min(p + d(a,u), L-p + d(b,u)). By a it goes as long as
//	             2p <= L + d(b,u) - d(a,u), so that counts by d(a,u) and by that
//	             difference tell which of them move from a's list to b's from place to place
//	hanging      all outside of what hangs on a vertex is one farther from it than from
//	             the vertex that it hangs on, and all inside one nearer
//
// Vertices inside the same chain, and what hangs there, are counted one by one.
//
// (A.E. Sariyuce et al. remove and merge vertices with one and two neighbours for closeness,
// "Graph manipulations for fast centrality computation", TKDD 2017; here whole lists
// are kept, which harmonic centrality needs.)
//
// Flow of a batch: the distances of its junctions and of the first ends of its chains, by lanes
// (package lengths); then, for each junction, all distances from it, its list and those of
// what hangs on it, and then the lists of every chain whose second end it is. Units:
// edges. Results equal those of package distances to the bit, but for being a source's
// own. Ownership: a Search belongs to one goroutine, and a result's slices are
// overwritten by the next batch. Complexity, with J junctions, H chains with
// something inside and depth D: O((J + H) n + n D) counts, and J searches over
// junctions; memory: Bytes.
package roads
