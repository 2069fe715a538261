// Package distances searches blocks for distances alone, 512 sources at once: a
// row of bits per vertex, one for each source, is a cache line, and the way from
// level to level is one OR per edge. No numbers are kept per source: what a vertex
// is met by in a level, times the level, is its own farness, since distances in
// an undirected graph have no direction. See preprocess.Found.
//
// Flow, for each row of sources of a batch:
//
//	push  while few edges lead on: from the vertices of the level to their neighbours
//	pull  while few vertices are not met by all: to these from their neighbours,
//	      until they are met by all that is missing; what a neighbour has been met
//	      by before serves as well as what it is met by in this level, so that such
//	      a level reads one array of rows and writes another
//
// (S. Beamer et al., "Direction-optimizing breadth-first search", SC 2012; M. Then
// et al., "The more the merrier", VLDB 2014; the count at the vertex: H. Boo et al.
// and others for closeness, here for harmonic centrality and eccentricity too.)
// Only rows of vertices that take part in a level are read, written or cleared, so
// that a mesh, whose levels are small, pays for what it visits.
//
// Units: a distance is a number of edges; sums are integers, so that the order of
// sources leaves no trace in them. Ownership: a Search belongs to one goroutine, and
// a result's slices are overwritten by the next batch. Complexity: one row per edge
// and level in which it is looked at, O(n) memory: 320 bytes per vertex.
package distances
