// Package chains computes batches of road networks and other graphs in which most
// vertices have two neighbours. It does not visit the vertices between
// crossings.
//
// A block consists of junctions, which have three neighbours or more, and chains of
// vertices that join them: see csr.Chains. Searches start at junctions only,
// and treat a chain as an edge of the chain's length. Closed forms give the dependencies of sources
// and targets inside chains. Edges may have lengths: see below.
//
// # A chain
//
// Let the vertex y be at position i of a chain from u to v, and t be a vertex
// outside the chain. A shortest path from y to t leaves the chain by u or by v,
//
//	d(y,t) = min(i + d(u,t), length-i + d(v,t))
//
// and continues as a shortest path from u or from v. (A shortest path from u to t
// may lead through the chain. Then v is nearer to t by the whole length, and y
// leaves by v.) So one number of t decides the end for every position:
//
//	            t              twice(t) = length + d(v,t) - d(u,t) = 4
//	      3 / ·   · \ 2
//	    ·             ·
//	  /                 \
//	u --- y --- y --- y --- y --- v      length 5
//	0     1     2     3     4     5      position i
//	   by u   both    by v  by v         as 2i is less than, is, or passes twice(t)
//
// Kernels of devices have lead(t) = 2*length - twice(t) in place of it.
//
// Dependencies are linear in the masses of the sources and of the targets. So one
// backward pass to u serves u as a source and all sources in chains at u that leave by
// u. In it the weight of t is its own, times the mass of the sources that
// reach t by u. A source that leaves by both ends
// counts with its shares of the paths.
//
// Two words distinguish masses: a weight is target mass (Block.To), a mass is source
// mass (Block.From) on its way.
//
// # The steps of a batch
//
// Each step is a method of the previous step's result, so that none can be
// omitted or come too early.
//
//	Search.hang        finds the junctions that the batch's sources hang on
//	hung.search        makes each of them a root: distances and paths to all junctions
//	found.send         for each root u:
//	  load.begin         an outgoing load, with the mass of u as a source
//	  fan.open           for each chain at u that holds sources:
//	  opened.toJunctions   sends to junctions, whose classes are known from then on
//	  met.toChains         sends to the vertices of other chains
//	  spread.outward       adds up the targets reached by u
//	  reached.toOwn        sends to the chain's own vertices
//	  outgoing.pass      takes the whole load back to u
//	sent.result        turns the tally into scores
//
// # Three junctions
//
//	x --- x' --- x"         chains: a-b, b-c and a-c without vertices inside,
//	|            |          a-x-x'-x"-b of length 4, b-y-c of length 2
//	a ---------- b --- y
//	  \         /      |     batch: the sources x, x' and x"; all masses are 1
//	    \     /        |
//	      c -----------+
//
// The sources hang on a and b, which become roots. All other junctions have distance 1 from a,
// and from b. Seen from a, twice is 4+1-0 = 5 of a, 4+0-1 = 3 of b
// and 4+1-1 = 4 of c. Paths to c leave position 1 by a, since 2 < 4, position 2 by both
// ends and position 3 by b. Paths to b leave only position 1 by a, paths to a positions 1 and
// 2. So a sends c the mass 1 of x and half the mass of x'; b sends c the other
// half and x". The ends of the chain b-y-c have different classes, so y is computed alone.
// Its distance is 2 from a, by two paths, and 1 from b, so twice is 4+1-2 = 3, and only x
// leaves by a. Pairs within the chain: x to x" passes x'. After the backward passes the tally is
//
//	a 3.5, b 5, c 0.5, x 1.5, x' 2, x" 2.5, y 0: the sum is 15,
//
// as is the sum of d-1 over the batch's pairs. Flow that arrives at its source: 3*6 (TestThreeJunctions).
//
// # Lengths
//
// With lengths a vertex inside a chain has a position, in units of length, besides its place.
//
//	x --4-- y --1-- z        A chain from u to v of length 4+4+1+3 = 12, with vertices
//	4               3        inside at the positions 4, 8 and 9. A target outside has distance
//	u -------9----- v        3 from v and 9+3 from u: position p leaves by u while
//	                         2p < 12+3-12 = 3, so all leave by v.
//
// One number of a target still decides by which end the sources of a chain leave. But there
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
// The self-check is that of lengths, with and without them (preprocess.Block): all flow arrives at its sources. It is
// summed over a batch.
//
// # Cost
//
// A search and a fan take time O(chains). A block takes O(junctions*chains +
// chains^2). Two chains that lie opposite each other add the length of one, if not all
// pairs of their vertices leave by the same ends. State: 24 bytes per
// junction and root, 80 bytes per vertex, 130 per chain. On road networks a batch has about one root
// for ten sources.
//
// M. Bentert, A. Dittmann, L. Kellerhals, A. Nichterlein, R. Niedermeier, "An
// adaptive version of Brandes' algorithm for betweenness centrality", JGAA 24
// (2020), treat chains in pairs, in time O(k*n) for k = m-n+1.
package chains
