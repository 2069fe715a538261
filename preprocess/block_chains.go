package preprocess

// Chains is a block seen as junctions joined by chains of vertices with two neighbours. Junctions have three
// neighbours or more. An edge between two junctions is a chain
// without vertices inside. Several chains may join the same two junctions. None joins a junction to itself, since
// that would be an articulation point.
//
// Junctions are numbered such that runs of them are compact. Chains are in the order of their second ends.
type Chains struct {
	Junctions []uint32    // local vertex of each junction
	Ends      [][2]uint32 // by chain: positions in Junctions, the smaller first
	First     []uint32    // by chain, and one more: where its vertices begin in Inner
	Inner     []uint32    // local vertices inside chains, each chain's from its first end to its second
}

// Roads is a component as chains that junctions join, and trees that hang on both. It is the graph after leaves have
// folded, cut at its vertices with three neighbours or more. Distances from a vertex inside a chain follow from
// those of its two ends, so a road network is searched from its junctions only.
//
// Local vertices stand in groups. A junction is followed by what hangs on it, parents first. Then, for every chain
// whose second end it is, come the vertices inside, in the chain's order, and what hangs on each.
type Roads struct {
	Chains          // in local numbers; a chain may join a junction to itself
	Into   []uint32 // by local vertex: the vertex it hangs on; itself, if it is a junction or inside a chain
}
