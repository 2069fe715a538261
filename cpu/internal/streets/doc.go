// Package streets computes batches of road networks whose edges have lengths. It is package
// chains with positions, in units of length, besides places. Junctions, chains, loads and the steps
// of a batch are as described there. This comment says what lengths
// change.
//
//	x --4-- y --1-- z        A chain from u to v of length 4+4+1+3 = 12, with vertices
//	4               3        inside at the positions 4, 8 and 9. A target outside has distance
//	u -------9----- v        3 from v and 9+3 from u: position p leaves by u while
//	                         2p < 12+3-12 = 3, so all leave by v.
//
// As there, one number of a target decides by which end the sources of a chain leave. But there
// may be as many such numbers as lengths. Only the places
// of the chain below, at and above the number matter. They make its class, and a chain of k vertices
// has 2k+1 classes. So tables are by class, and a class is found by binary search.
//
// Lengths change three things:
//
//   - A chain may be longer than the path between its ends outside it, by any amount.
//     Then no path passes the whole chain, and its vertices reach each other
//     around it where that is nearer (cycle).
//   - Two places of a chain that are half the cycle apart are joined both ways, straight
//     and around. But if the chain itself is a shortest path between its ends, the path around is
//     never as short. It must not be counted through the far end, whose paths lead
//     straight back (newCycle).
//   - Several chains of equal length between the same two ends tie: paths of
//     one are paths outside another (root counts them all).
//
// The self-check is that of lengths (preprocess.Block). The searches from junctions
// take time O(chains log C), the other steps the same as there.
package streets
