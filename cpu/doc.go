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
//	Reference    the textbook algorithm, one source at a time, with path counts
//	             of any size: the oracle, and the rescue of what overflows
//	Worker       takes batches to one of
//	search       the lane engine
//	meshes       the same for deep blocks whose vertices come in many levels of a batch,
//	             vertex by vertex, in internal/meshes
//	byEntries    the same for blocks of which a vertex comes in few levels of a batch: path
//	             counts are kept by entry
//	byLines      the same for blocks with more rows than caches hold; dead ends
//	             of directed ones are left out of its searches where many arcs lead to them
//	chains       the engine of blocks that have chains, in internal/chains
//	lengths      the engine of blocks whose arcs have lengths, in internal/lengths
//	streets      the engine of blocks that have both, in internal/streets
//	distances    the engine of blocks that are searched for distances alone, in
//	             internal/distances; of meshes, in internal/meshes; by lengths, that is lengths again
//	roads        the engine of those that are laid out as roads, in internal/roads
//
// Units and formulas: see preprocess.Block. Ownership: the plan is read only;
// a Result's slices belong to the worker. Complexity of a batch of L sources
// of a block with n vertices and m edges: O(levels shared * (n + m)) row
// operations of L lanes; with chains or lengths: see there. Memory: see Bytes.
//
// Stability: programs may import it, since package pipeline is made of it, but any
// version may change it; docs/release.md says what is stable.
package cpu
