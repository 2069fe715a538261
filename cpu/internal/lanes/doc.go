// Package lanes searches a block from up to 64 sources at once, level by level, with a bit for each source in the masks
// of its vertices, and path counts and dependencies by vertex and lane.
//
//	NewRows     rows: numbers of a vertex stand side by side, in float64 or float32
//	NewEntries  path counts by frontier entry, in 16 bits each
//	NewLines    eight lanes after the other, for more rows than caches hold; dead ends of directed blocks
//	            are left out of its searches where many arcs lead to them
//
// All three share levels, masks and the way back (search.go, frame.go). Scores of undirected blocks whose sources are
// not drawn have equal bits by all of them. A Set holds the kernels of an instruction set: each has a twin in Go
// (kernels_go.go, linekernels.go, entrykernels.go), and gives the same bits.
//
// Units and formulas: see preprocess.Block. Ownership: blocks are read only; a Result's slices belong to the search, which
// is for one goroutine at a time. Complexity of a batch: O(levels shared * (n + m)) row operations. Memory: RowsBytes,
// EntriesBytes, LinesBytes.
package lanes
