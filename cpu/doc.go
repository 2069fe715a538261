// Package cpu computes batches of a preprocess.Plan on processor cores.
//
// Flow: a Worker takes one batch after the other (Run). It searches breadth first from all
// sources of a batch at once, one bit per source ("lanes"). It returns the dependency sums of the
// block and the self-check sums. Blocks with chains are searched from their junctions instead.
// In a directed block, candidates and dependencies follow out-arcs, and path counts follow in-arcs.
// Between batches only the rows that the last batch reached are cleared. In blocks
// whose arcs have lengths, sixteen sources correct their distances together.
//
//	Worker         computes each batch by the walk that the table in walks.go gives its block
//
// A walk is one way to search a block. The table says which blocks a walk suits, where it pays and
// how much memory it takes. Choices, Bytes and Worker use the table. By the kind of the block (engine.Kind):
//
//	hops           rows: level by level, 64 sources at once (internal/lanes, as the next two)
//	               lines: for more rows than caches hold
//	               entries: where a vertex is in few levels of a batch: path counts are kept by entry
//	               meshes, mesh-draws: vertex by vertex, for deep blocks whose vertices are in many levels of a batch
//	               (internal/meshes)
//	               acyclic: where few arcs of a directed block are on cycles (internal/acyclic)
//	               alone: within a short cutoff, or few sources of a deep block, one at a time (internal/alone)
//	lengths        lengths: arcs have lengths (internal/lengths); acyclic likewise
//	               alone-lengths: where near sources share few shortest paths, one at a time (internal/dial)
//	chains         chains: from junctions (internal/chains)
//	chain-lengths  chain-lengths: both (internal/chains)
//	reach          reach: distances alone, by bits (internal/distances)
//	               mesh-reach: the same for meshes, by numbers (internal/meshes)
//	length-reach   length-reach: distances alone, by lengths (internal/lengths); acyclic-reach (internal/acyclic)
//	chain-reach    chain-reach: distances alone, from junctions (internal/roads)
//	without chains balls: within a cutoff, where a batch reaches a small part of the block. The part is cut
//	               out and searched by another walk (internal/balls)
//
// Units and formulas: see preprocess.Block. Ownership: the plan is read only;
// a Result's slices belong to the worker. Complexity of a batch of L sources
// in a block with n vertices and m edges: O(levels shared * (n + m)) row
// operations of L lanes. For chains and lengths see their packages. Memory: see Bytes.
//
// Stability: programs may import the package, since package pipeline builds on it, but any
// version may change it. docs/release.md lists the stable interfaces.
package cpu
