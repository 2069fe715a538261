// Package chains computes batches of road networks and other graphs in which most
// vertices have two neighbours, without walking along the streets between
// crossings.
//
// A block is junctions, which have three neighbours or more, and chains of
// vertices that join them: see preprocess.Chains. Searches start at junctions only,
// and go over a chain as over an edge of the chain's length. What the vertices
// inside a chain send and get follows from closed forms.
//
// # A chain
//
// Let the vertex y be at position i of a chain from u to v, and t be a vertex
// outside the chain. A shortest path from y to t leaves the chain by u or by v,
//
//	d(y,t) = min(i + d(u,t), length-i + d(v,t))
//
// and goes on as a shortest path from u or from v. (A shortest path from u to t
// may lead through the chain; but then v is nearer to t by the whole length, and y
// goes by v.) So a single number tells of t which way every position goes:
//
//	            t              lead(t) = length + d(u,t) - d(v,t) = 6
//	      3 / ·   · \ 2
//	    ·             ·
//	  /                 \
//	u --- y --- y --- y --- y --- v      length 5
//	0     1     2     3     4     5      position i
//	   by u   both    by v  by v         as 2i is less than, is, or passes 2*length - lead(t)
//
// Dependencies are linear in the masses of the sources and of the targets. What
// all sources inside all chains at u send by way of u, and what u sends as a
// source, therefore is one pass back to u, in which t weighs what its own mass is
// times the mass of the sources that come to t by way of u. A source that goes both
// ways counts by its shares of the paths.
//
// Two words keep masses apart: a weight is target mass (Block.To), a mass is source
// mass (Block.From) on its way.
//
// # The steps of a batch
//
// Each step is a method of what the step before returns, so that none can be left
// out or come too early.
//
//	Search.hang        finds the junctions that the batch's sources hang on
//	hung.search        makes each of them a root: distances and paths to all junctions
//	found.send         for each root u:
//	  load.begin         an outgoing load: what u sends as a source
//	  fan.open           for each chain at u that holds sources:
//	  opened.toJunctions   sends to junctions, whose leads are known from then on
//	  met.toChains         sends to the vertices of other chains
//	  spread.outward       adds up what is reached by u
//	  reached.toOwn        sends to the chain's own vertices
//	  outgoing.pass      takes the whole load back to u
//	sent.result        turns what was tallied into scores
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
// The sources hang on a and b, which become roots: from a all junctions are 1 away,
// from b too. Seen from a, the chain has the leads 4+0-1 = 3 of a, 4+1-0 = 5 of b
// and 4+1-1 = 4 of c. To c, position 1 goes by a, since 2 < 8-4, position 2 both
// ways and position 3 by b; to b, only position 1 goes by a; to a, positions 1 and
// 2. So a sends c the mass 1 of x and, of x', the share 1/2; b sends c the other
// half and x". The chain b-y-c has ends of two leads, and y is looked at by itself:
// y is 2 from a, by two paths, and 1 from b, so the lead is 4+2-1 = 5, and x alone
// goes by a. Pairs within the chain: x to x" passes x'. Passed back and tallied,
//
//	a 3.5, b 5, c 0.5, x 1.5, x' 2, x" 2.5, y 0: the sum is 15,
//
// as is the sum of d-1 over the batch's pairs (TestThreeJunctions).
//
// # Cost
//
// A search and a fan take time O(chains). A block takes O(junctions*chains +
// chains^2), and, for two chains that lie opposite each other, so that not all
// pairs of their vertices go the same way, the length of one. State: 20 bytes per
// junction for each root, of which a batch has about a tenth as many as sources
// on road networks; 80 bytes per vertex; 130 per chain.
//
// M. Bentert, A. Dittmann, L. Kellerhals, A. Nichterlein, R. Niedermeier, "An
// adaptive version of Brandes' algorithm for betweenness centrality", JGAA 24
// (2020), treat chains in pairs, in time O(k*n) for k = m-n+1.
package chains
