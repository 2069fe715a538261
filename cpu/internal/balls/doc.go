// Package balls searches blocks whose paths have a Cutoff so short that a batch reaches a
// small part of the block.
//
//	cut      what the sources of the batch reach together becomes a block of its own: preprocess.Parts
//	search   the engine that suits the part finds what it finds of any block
//	deliver  its numbers go to their places in the block; Result.At says which those are
//
// So a batch costs what it reaches, whatever the size of the block: the search, what is cleared, and what
// the receiver adds up. Sums run in the order of the whole block's vertices and arcs.
//
// Ownership: a Result's slices are the Search's until its next Run. Memory: Bytes.
package balls
