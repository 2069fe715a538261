// Package meshes searches deep undirected blocks from up to 64 sources at a time
// ("lanes"), vertex by vertex: meshes, triangulations, geometric graphs, roads.
//
// Near-by sources do not have a vertex of a mesh in the same level, but mostly agree
// which of two neighbours is the nearer. So where a search level by level comes to a
// vertex in eight levels, each time with a few lanes, here it is visited once, in
// all of them:
//
//	flood       ranks the vertices breadth first from the batch's first source, and
//	            lays the block out by ranks: what a search needs lies together
//	settle      finds the levels of all lanes by relaxation, about two of each vertex
//	sort        orders the vertices by the sum of their levels: where lanes agree
//	            on two neighbours, the nearer one comes first
//	countPaths  visits them in that order and counts paths in all lanes whose
//	            predecessors have been counted; lanes that are late wait until some
//	            neighbour of the vertex has been visited
//	retreat     goes the visits back for dependencies, and for what goes over edges
//
// For distances alone (Distances), vertices are ranked once for 256 sources, and each 64 of them
// find their levels, which are then added up by vertex; each 128 of them where no level can pass
// 8 bits, in rows as long.
//
// Distances are exact whatever the order, and so are the lanes that are ready; the order
// decides nothing but how often a vertex is visited: 1.1 times in meshes, 2 in a road
// network with chains taken along, 5 to 8 where lanes disagree, as in social graphs.
//
// Drawn goes these steps for drawn sources, some lanes after the others from sort on.
//
// S, c and scores of a Search have the bits that package cpu's search level by level gives
// them: sums run in the order of the block's neighbours, and a vertex's lanes are added to
// its score by level, the deepest first. Got is summed in the order of the visits, so that its
// last bits differ.
//
//	M. Then et al., "The more the merrier: efficient multi-source graph
//	    traversal", VLDB 2014 (lanes)
//	U. Brandes, "A faster algorithm for betweenness centrality", 2001
//
// Formulas and masses: preprocess.Block. Work counts visits as frontier entries.
// Ownership: a Result's slices are the Search's until its next Run. Complexity: of
// a batch O(visits * degree) operations on rows. Memory: Bytes and DrawnBytes. Path counts are at least
// 1 and may pass the range of their numbers; the self-check fails then.
package meshes
