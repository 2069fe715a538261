package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Diameter returns an upper bound of the distances within the block, in arcs, of paths that
// count. It comes from one search out of the first vertex or, in a directed block, from two,
// out of it and back. It depends on no random choice. The only error is the context's.
func (b *Block) Diameter(ctx context.Context) (int, error) {
	n := b.Vertices()
	longest := max(n-1, 0) // of a path that passes no vertex twice
	out, reached, err := levelsOf(ctx, &b.Graph, 0, nil)
	if err != nil {
		return 0, err
	}
	if reached == n-b.virtual() { // virtual vertices: nothing leads to them
		in := out
		if b.Directed() {
			if in, reached, err = levelsOf(ctx, b.In, 0, nil); err != nil {
				return 0, err
			}
		}
		if reached == n || !b.Directed() {
			longest = min(longest, out+in)
		}
	}
	if b.Cutoff > 0 {
		least := int64(1)
		if b.HasLengths() {
			least = slices.Min(b.Lengths)
		}
		longest = min(longest, int(int64(b.Cutoff)/least))
	}
	return longest, nil
}

// Diameter returns an upper bound of the distances in an undirected graph without lengths, within components: twice
// the depth of one search of each. The only error is the context's.
func Diameter(ctx context.Context, g *csr.Graph) (longest int, err error) {
	seen := make([]uint64, (g.Vertices()+63)/64)
	for v := range uint32(g.Vertices()) {
		if seen[v>>6]>>(v&63)&1 == 0 {
			levels, _, err := levelsOf(ctx, g, v, seen)
			if err != nil {
				return 0, err
			}
			longest = max(longest, 2*levels)
		}
	}
	return longest, nil
}

// levelsOf returns the number of arcs, at the fewest, to the farthest vertex that one reaches, and how many it reaches.
// With lengths, paths may have any number of arcs, and reached is -1. It sets the bits of the vertices in seen, if that
// is not nil.
func levelsOf(ctx context.Context, g *csr.Graph, first uint32, seen []uint64) (levels, reached int, err error) {
	n := g.Vertices()
	if g.HasLengths() || n == 0 {
		return 0, -1, nil
	}
	if seen == nil {
		seen = make([]uint64, (n+63)/64)
	}
	seen[first>>6] |= 1 << (first & 63)
	here, next := []uint32{first}, []uint32(nil)
	for ; ; levels++ {
		next = next[:0]
		for _, v := range here {
			if reached%parallel.Interval == 0 && ctx.Err() != nil {
				return 0, 0, ctx.Err()
			}
			reached++
			for _, u := range g.Neighbours(v) {
				if word, bit := &seen[u>>6], uint64(1)<<(u&63); *word&bit == 0 {
					*word |= bit
					next = append(next, u)
				}
			}
		}
		if len(next) == 0 {
			return levels, reached, nil
		}
		here, next = next, here
	}
}
