package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/parallel"
)

// Diameter is a number that no distance within the block passes, in arcs, of paths
// that count: from one search, or two of a directed block, out of the first vertex
// and back to it. It depends on no random choice. The only error is the context's.
func (b *Block) Diameter(ctx context.Context) (int, error) {
	n := b.Vertices()
	longest := max(n-1, 0) // of a path that passes no vertex twice
	out, reached, err := levelsOf(ctx, &b.Graph)
	if err != nil {
		return 0, err
	}
	if reached == n-b.virtual() { // which nothing leads to
		in := out
		if b.Directed() {
			if in, reached, err = levelsOf(ctx, b.In); err != nil {
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

// levelsOf says how many arcs lead from the first vertex to the farthest that it reaches, by
// the fewest, and how many it reaches. With lengths, whose paths may have any number of
// arcs, nothing is said to be reached.
func levelsOf(ctx context.Context, g *csr.Graph) (levels, reached int, err error) {
	n := g.Vertices()
	if g.HasLengths() || n == 0 {
		return 0, -1, nil
	}
	seen := make([]uint64, (n+63)/64)
	seen[0] = 1
	here, next := []uint32{0}, []uint32(nil)
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
