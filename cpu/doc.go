// Package cpu computes batches of a preprocess.Plan on processor cores.
//
// Flow: a Worker takes batches one after the other (Run), searches each batch
// breadth first from all sources of the batch at once, one bit per source
// ("lanes"), and hands the block's dependency sums and the self-check sums back.
// Blocks that have chains are searched from their junctions instead. In a directed
// block candidates and dependencies follow arcs, and path counts come by arcs that
// lead in; between batches only what the last one reached is cleared. Of blocks
// whose arcs have lengths, sixteen sources correct their distances together.
//
//	Reference      the textbook algorithm, one source at a time, with path counts
//	               of any size: the oracle, and the rescue of what overflows
//	Worker         takes batches to the walk that its block has by the table in walks.go
//
// A walk is one way to search a block. The table says which blocks each suits, where it pays and
// what memory it takes; Choices, Bytes and Worker ask it. By the kind of the block (preprocess.Kind):
//
//	hops           rows: level by level, 64 sources at once (internal/lanes, as the next two)
//	               lines: for more rows than caches hold
//	               entries: where a vertex comes in few levels of a batch: path counts are kept by entry
//	               meshes, mesh-draws: for deep blocks whose vertices come in many levels of a batch, vertex by vertex
//	               (internal/meshes)
//	               acyclic: where the arcs of a directed block make no cycle (internal/acyclic)
//	lengths        lengths: arcs have lengths (internal/lengths); acyclic likewise
//	chains         chains: from junctions (internal/chains)
//	chain-lengths  chain-lengths: both (internal/streets)
//	reach          reach: distances alone, by bits (internal/distances)
//	               mesh-reach: of meshes, by numbers (internal/meshes)
//	length-reach   length-reach: distances alone, by lengths (internal/lengths); acyclic-reach (internal/acyclic)
//	chain-reach    chain-reach: distances alone, from junctions (internal/roads)
//	without chains balls: within a cutoff, where a batch reaches a small part of the block, which is cut
//	               out and searched by another walk (internal/balls)
//
// Units and formulas: see preprocess.Block. Ownership: the plan is read only;
// a Result's slices belong to the worker. Complexity of a batch of L sources
// of a block with n vertices and m edges: O(levels shared * (n + m)) row
// operations of L lanes; with chains or lengths: see there. Memory: see Bytes.
//
// Stability: programs may import it, since package pipeline is made of it, but any
// version may change it; docs/release.md says what is stable.
package cpu
