// Package alone searches blocks from one source at a time: U. Brandes, "A faster algorithm for betweenness centrality",
// 2001.
//
// Within a short Cutoff, a source sees few vertices, and shares few of them with others. In a deep block, scattered sources are at
// a vertex in different levels. Rows of lanes would be mostly empty.
//
//	search   breadth first; vertices at the Cutoff are met, but do not look at their neighbours
//	retreat  in reverse, a vertex adds up the values of its neighbours, which are c of its successors, and 0
//	flow     in a block with Flows, adds up what a level passes on to the next
//
// Loops over vertices are functions of their own, and not inlined: so their numbers stay in registers.
//
// Formulas and masses: preprocess.Block. Work counts the vertices that sources see, and both passes over the arcs of all but
// the last. Ownership: a Result's slices belong to the Search, and hold until its next Run. Memory: Bytes.
package alone
