// Package alone searches blocks whose paths have a short Cutoff from one source at a time: U. Brandes, "A faster
// algorithm for betweenness centrality", 2001.
//
// A source of a sparse block sees few vertices within two or three edges, and shares few of them with others. Rows of
// lanes would be mostly empty.
//
//	search   breadth first; the vertices of the last level are met, but do not look at their neighbours. Lists successors
//	retreat  in reverse, a vertex adds up c of its successors
//
// Formulas and masses: preprocess.Block. Work counts the vertices that sources see, the arcs looked at, and successors.
// Ownership: a Result's slices belong to the Search, and hold until its next Run. Memory: Bytes.
package alone
