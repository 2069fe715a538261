// Package lanes searches a block from up to 64 sources at once, level by level. The mask of a vertex has a bit for each
// source. Path counts and dependencies are kept by vertex and lane.
//
//	NewRows     rows: numbers of a vertex stand side by side, in float64 or float32
//	NewEntries  path counts by frontier entry, in 16 bits each
//	NewLines    eight lanes after the other, for more rows than caches hold
//
// All three share levels, masks and the backward pass (search.go, frame.go). They give equal bits for undirected blocks
// without drawn sources. A Set holds the kernels of an instruction set. Each kernel has a twin in Go
// (kernels_go.go, linekernels.go, entrykernels.go) that gives the same bits.
//
// Units and formulas: see preprocess.Block. Ownership: blocks are read only; a Result's slices belong to the search. A
// search is for one goroutine at a time. Complexity of a batch: O(levels shared * (n + m)) row operations. Memory:
// RowsBytes, EntriesBytes, LinesBytes.
package lanes
