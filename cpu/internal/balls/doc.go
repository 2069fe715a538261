// Package balls searches blocks whose paths have a Cutoff so short that a batch reaches a
// small part of the block.
//
//	cut      the vertices that the sources of the batch reach become a block of their own: preprocess.Parts
//	search   an engine that suits the part searches it as any block
//	deliver  the numbers of the part are copied to their places in the block, listed in Result.At
//
// So the cost of a batch depends on the part, not on the block: the cost of the search, of clearing, and of
// adding up. Sums run in the order of the whole block's vertices and arcs.
//
// Ownership: a Result's slices belong to the Search, and hold until its next Run. Memory: Bytes.
package balls
