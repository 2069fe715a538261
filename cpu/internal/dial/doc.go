// Package dial searches blocks whose arcs have lengths from one source at a time, with buckets by distance: R. B. Dial,
// "Algorithm 360: shortest-path forest with topological ordering", CACM 12, 1969; U. Brandes, "A faster algorithm for
// betweenness centrality", 2001.
//
// In sparse random blocks, sources have few shortest paths in common, however near they are. Rows of lanes then visit a
// vertex for one lane at a time, many times.
//
//	search   takes the nearest bucket: its vertices have their distance, and their predecessors have their path counts.
//	         One look at their arcs finds both the predecessors and what the other neighbours are offered
//	decay    in a block with Decay: the source's seeds, their sum, and what the source sends
//	retreat  in reverse, a vertex adds c to the sums of its predecessors
//
// Formulas and masses: preprocess.Block. Distances are whole numbers of 31 bits, in units of the lengths' greatest common
// divisor, so bits do not depend on the unit of the lengths. Every arc of an undirected block is looked at twice for each
// source, and every vertex enters one or two buckets. Ownership: a Result's slices belong to the Search, and hold until its
// next Run. Memory: Bytes.
package dial
