// Package dial searches blocks whose arcs have lengths from one source at a time, with buckets by distance: R. B. Dial,
// "Algorithm 360: shortest-path forest with topological ordering", CACM 12, 1969; U. Brandes, "A faster algorithm for
// betweenness centrality", 2001.
//
// In sparse random blocks, sources have few shortest paths in common, however near they are. Rows of lanes then visit a
// vertex for one lane at a time, many times.
//
//	search   takes the nearest bucket, whose vertices have their distance. One look at their arcs finds both the links to
//	         their predecessors and what the other neighbours are offered
//	link     in a directed block: takes for links the offers that were the nearest in the end
//	count    adds up path counts along the links, in the order in which they were found
//	own      what each vertex passes on to a predecessor for itself, by vertex, and the sum of the target masses
//	decay    in a block with Decay: what the source sends, of that sum
//	flow     in a block with Flows, adds up what passes the arcs, once sums are there
//	retreat  along the links in reverse, adds what a vertex passes on to the sum of its predecessor; then scores, by vertex
//
// In a block with Distances, search is followed by collect, which adds up the distances from eight sources by vertex.
//
// No loop ends by the number of a vertex's arcs or predecessors, which no branch can guess.
//
// Formulas and masses: preprocess.Block. Distances are whole numbers of 31 bits, in units of the lengths' greatest common
// divisor, so bits do not depend on the unit of the lengths. Every edge is looked at twice for each source, an arc of a
// directed block once, and every vertex enters one or two buckets. Ownership: a Result's slices belong to the Search, and hold
// until its next Run. Memory: Bytes.
package dial
