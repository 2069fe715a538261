// Package distances searches blocks for distances alone, from 512 sources at once. The
// row of a vertex, one bit for each source, is a cache line, and a level takes one OR of
// rows per edge. Numbers are kept per vertex, not per source: the number of sources that reach
// a vertex in a level, times the level, is added to the vertex's own farness. Distances in
// an undirected graph are symmetric, so this is right. See engine.Found.
//
// Flow, for each row of sources of a batch:
//
//	push  while the frontier has few edges: from the frontier to its neighbours
//	pull  while few vertices miss some source: to these from their neighbours,
//	      until they miss none. Rows of all earlier levels serve as well as the rows
//	      of the frontier, so a level reads one array of rows
//	      and writes another
//
// Sources: S. Beamer et al., "Direction-optimizing breadth-first search", SC 2012. M. Then
// et al., "The more the merrier", VLDB 2014. Counts at the vertex: H. Boo et al.
// and others for closeness, here for harmonic centrality and eccentricity, too.
//
// A level only reads, writes and clears the rows of its vertices, so
// a mesh, whose levels are small, costs little.
//
// Units: a distance is a number of edges. Sums are integers, so they do not depend on the order of
// sources. Ownership: a Search belongs to one goroutine, and
// the next batch overwrites a result's slices. Complexity: one row operation per edge
// and level that uses it. Memory: 320 bytes per vertex.
package distances
