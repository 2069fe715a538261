// Package streets computes batches of road networks whose edges have lengths: package
// chains with positions, in units of length, instead of places. What is said there of
// junctions, chains, loads and the steps of a batch holds here; this is what lengths
// change.
//
//	x --4-- y --1-- z        A chain from u to v of length 4+4+1+3 = 12, the vertices
//	4               3        inside at the positions 4, 8 and 9. A target outside that is
//	u -------9----- v        3 from v and 9+3 from u: the position p goes by u while
//	                         2p < 12+3-12 = 3, so all go by v.
//
// Which way the sources of a chain go to a target is one number, as there; but there
// may be as many such numbers as there are lengths. All that matters is which places
// of the chain lie below, at and above it: its class, of which a chain of k vertices
// has 2k+1. So tables are by class, and a class is found by halving.
//
// Three things are not as they are without lengths:
//
//   - a chain may be longer than the way outside it between its ends, by any amount;
//     then nothing passes the whole of it, and the vertices inside reach each other
//     around it where that is nearer (cycle);
//   - two places of a chain that are half the cycle apart are joined both ways, straight
//     and around; but if the chain is itself a shortest way between its ends, around is
//     never as short, and must not be counted through the far end, whose paths lead
//     straight back (newCycle);
//   - several chains between the same two ends may tie, being of equal length: paths of
//     one are paths outside another (root counts them all).
//
// The self-check is that of lengths (preprocess.Block). The searches from junctions
// take time O(chains log C), the rest what it takes there.
package streets
