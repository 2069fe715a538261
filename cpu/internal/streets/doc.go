// Package streets searches undirected blocks whose arcs have lengths and whose paths have a short Cutoff, such as street
// networks: most of their vertices have two neighbours.
//
//	cut      the junctions that the sources of a batch reach become a block of their own, and so do the sources
//	search   package lengths searches it; it sends to the vertices inside chains by a closed form
//	deliver  the scores are copied to their places in the block, listed in Result.At
//
// A junction has three neighbours or more. A chain joins two junctions. A vertex of it, at a position on the way from a to
// b, is reached from a, from b, or from both, and within the Cutoff or not:
//
//	from a alone    2 position < length + d(b) - d(a)   and   position <= Cutoff - d(a)
//	from both       2 position = length + d(b) - d(a)
//
// So each end reaches the places up to one, whatever the source. A source inside a chain cuts it in two. A vertex with one
// neighbour ends a chain that leads nowhere. Time and memory of a batch depend on what it reaches.
//
// Ownership: a Result's slices belong to the Search, and hold until its next Run. Memory: Bytes.
package streets
