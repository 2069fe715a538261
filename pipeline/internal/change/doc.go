// Package change updates the betweenness of a graph after a change of it, exactly and by few searches.
//
//	Match           which vertex of one graph is which of the other, by id
//	Compare         the difference: edges and vertices that came and went
//	Difference.Branches, Difference.Sides   a cover
//	Difference.Union                        both graphs as one
//	Difference.Flows, Masses                what begins and ends at its vertices
//	Difference.Routes                       trips between them
//	Difference.Parts, Scores                yesterday's scores made today's
//	Difference.Inside                       the same of the blocks of changed edges
//	FindBlocks, NewRemovals, Removals.Region   the same of a removal, in its blocks alone
//
// A set C of vertices is a cover if every pair of vertices whose shortest paths differ between the two graphs has an
// end in C. Let F(v) be the flow through v if 1 begins at each vertex of C, and 2 ends at every other vertex, 1 at
// vertices of C. An unordered pair with an end in C then counts for 2, and any other for nothing. The change of the
// scores follows from the flows F' of today's graph and F of yesterday's,
//
//	BC'(v) = BC(v) + (F'(v) - F(v)) / 2,
//
// and each flow takes searches from C only, fewer where reductions merge them. The graphs are searched as two parts of
// one, like any run with masses.
//
// A pair's paths differ only if an old path used a removed edge, or a new path uses an added edge. On such a path, one
// end is nearer to either end of the edge. Hence three covers:
//
//	branches   if every changed edge hangs in a tree: all vertices that it cuts off from the rest. No search finds them.
//	sides      of every changed edge uv of length l the smaller of {s: d(s,u) + l = d(s,v)} and {s: d(s,v) + l = d(s,u)}:
//	           searches from both ends, of 32 edges at once where they have no lengths
//	balls      of a changed edge, the vertices of one side at which many pairs end, and those of the other whose paths lead beyond them
//
// Arcs have a direction, and so have pairs from sources to targets. They have two covers: S of sources and T of targets. A
// pair whose paths differ has its source in S or its target in T. Of an arc uv, {s: d(s,u) + l = d(s,v)} joins S or
// {t: l + d(v,t) = d(u,t)} joins T. Flows then go from S to all targets, and from all other sources to T. The latter are
// searched from T, in the graph turned round. With masses, a pair counts the product of its two (Difference.Weigh), and pairs
// are ordered. A table of trips counts its rows with an end in a cover (Difference.Count, Routes). Where the mass of a
// source is spread over what it reaches, all its pairs change with one, so S has every source of a changed pair, and T
// is empty (Difference.Spread).
package change
