// Package levels counts the levels of a breadth-first search by all threads.
package levels

import (
	"context"
	"math/bits"
	"sync/atomic"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Diameter returns an upper bound of the distances in an undirected graph without lengths, within components: twice
// the depth of one search of each. The only error is the context's.
func Diameter(ctx context.Context, g *csr.Graph, threads int) (longest int, err error) {
	seen := make([]uint64, (g.Vertices()+63)/64)
	for v := range uint32(g.Vertices()) {
		if seen[v>>6]>>(v&63)&1 == 0 {
			levels, _, err := Of(ctx, g, g, v, seen, threads)
			if err != nil {
				return 0, err
			}
			longest = max(longest, 2*levels)
		}
	}
	return longest, nil
}

// Of returns the number of arcs, at the fewest, to the farthest vertex that one reaches, and how many it reaches.
// With lengths, paths may have any number of arcs, and reached is -1. It sets the bits of the vertices in seen, if that
// is not nil. back has the arcs the other way. Where a level has many arcs, the vertices that are left look back for
// one of it, which ends at the first (S. Beamer et al., "Direction-optimizing breadth-first search", SC 2012).
func Of(ctx context.Context, g, back *csr.Graph, first uint32, seen []uint64, threads int) (levels, reached int, err error) {
	n := g.Vertices()
	if g.HasLengths() || n == 0 {
		return 0, -1, nil
	}
	if seen == nil {
		seen = make([]uint64, (n+63)/64)
	}
	seen[first>>6] |= 1 << (first & 63)
	here, next, left := []uint32{first}, []uint32(nil), len(g.Targets)
	for ; ; levels++ {
		reached += len(here)
		arcs := int(g.ArcsOf(here, threads))
		left -= arcs
		if arcs > left/manyArcs {
			next, err = lookBack(ctx, back, here, seen, threads)
		} else {
			next, err = lookAhead(ctx, g, here, seen, next[:0])
		}
		if len(next) == 0 || err != nil {
			return levels, reached, err
		}
		here, next = next, here
	}
}

// manyArcs: a large level has more arcs than one in so many of those left.
const manyArcs = 14

// lookAhead appends the neighbours that were not seen.
func lookAhead(ctx context.Context, g *csr.Graph, here []uint32, seen []uint64, next []uint32) ([]uint32, error) {
	for i, v := range here {
		if i%parallel.Interval == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, u := range g.Neighbours(v) {
			if word, bit := &seen[u>>6], uint64(1)<<(u&63); *word&bit == 0 {
				*word |= bit
				next = append(next, u)
			}
		}
	}
	return next, nil
}

// lookBack lists the vertices that were not seen and have an arc from here.
func lookBack(ctx context.Context, back *csr.Graph, here []uint32, seen []uint64, threads int) ([]uint32, error) {
	level, found := make([]uint64, len(seen)), make([]uint64, len(seen))
	parallel.SpreadWhole(threads, len(here), parallel.Interval, func(lo, hi int) {
		for _, v := range here[lo:hi] {
			atomic.OrUint64(&level[v>>6], 1<<(v&63))
		}
	})
	n := back.Vertices()
	err := parallel.Spread(ctx, threads, len(seen), 1<<8, func(lo, hi int) {
		for w := lo; w < hi; w++ {
			for left := ^seen[w]; left != 0; left &= left - 1 {
				v := w<<6 + bits.TrailingZeros64(left)
				if v >= n {
					break
				}
				for _, u := range back.Neighbours(uint32(v)) {
					if level[u>>6]>>(u&63)&1 == 1 {
						found[w] |= 1 << (v & 63)
						break
					}
				}
			}
		}
	})
	return parallel.Listed(threads, len(found), 1<<12, func(next []uint32, lo, hi int) []uint32 {
		for w, set := range found[lo:hi] {
			seen[lo+w] |= set
			for ; set != 0; set &= set - 1 {
				next = append(next, uint32((lo+w)<<6+bits.TrailingZeros64(set)))
			}
		}
		return next
	}), err
}
