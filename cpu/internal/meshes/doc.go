// Package meshes searches deep blocks from up to 64 sources at a time
// ("lanes"), vertex by vertex: meshes, triangulations, geometric graphs, roads.
//
// Sources near one another have a vertex of a mesh in different levels, but mostly agree
// which of two neighbours is nearer. A search level by level reaches a
// vertex in eight levels, each time with a few lanes. This package visits it once, in
// all lanes:
//
//	flood       ranks the vertices breadth first from the batch's first source, and
//	            lays the block out by ranks: neighbours lie close together
//	settle      finds the levels of all lanes, by about two relaxations of each vertex
//	sort        orders the vertices by the sum of their levels: where lanes agree
//	            on two neighbours, the nearer one comes first
//	countPaths  visits them in that order and counts paths in all lanes whose
//	            predecessors are counted; late lanes wait until some
//	            predecessor of the vertex is visited
//	retreat     takes the visits in reverse for dependencies and flows
//
// Forward steps go along the arcs from predecessors, backward ones along those to successors. Lanes that a source of a
// directed block does not reach have no paths.
//
// For distances alone (Distances), 256 sources share the ranks of vertices. Each 64 of them
// find their levels together, which are then added up by vertex. If all levels fit in
// 8 bits, each 128 do, in rows of the same size.
//
// The order changes neither distances nor the lanes that are ready. It only
// decides how often a vertex is visited: 1.1 times in meshes, 2 in a road
// network with its chains, 5 to 8 where lanes disagree, as in social graphs.
//
// Drawn takes these steps for drawn sources of undirected blocks, from sort on for groups of lanes in turn.
//
// S, c and scores of a Search have the bits of package cpu's search level by level, but in relative blocks.
// Sums run in the order of the block's neighbours, and a vertex's lanes are added to
// its score by level, the deepest first. Got is summed in the order of the visits, so its
// last bits differ.
//
//	M. Then et al., "The more the merrier: efficient multi-source graph
//	    traversal", VLDB 2014 (lanes)
//	U. Brandes, "A faster algorithm for betweenness centrality", 2001
//
// Formulas and masses: preprocess.Block. Work counts visits as frontier entries.
// Ownership: a Result's slices belong to the Search, and hold until its next Run. Complexity of
// a batch: O(visits * degree) row operations. Memory: Bytes and DrawnBytes. Path counts are at least
// 1. They may pass the range of float64; the self-check fails then.
package meshes
