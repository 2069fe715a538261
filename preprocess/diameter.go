package preprocess

import (
	"context"
	"slices"

	"bcstage/internal/cpu/levels"
)

// Diameter returns an upper bound of the distances within the block, in arcs, of paths that
// count. It comes from one search out of the first vertex or, in a directed block, from two,
// out of it and back. It depends on no random choice. The only error is the context's.
func (b *Block) Diameter(ctx context.Context, threads int) (int, error) {
	n := b.Vertices()
	longest := max(n-1, 0) // of a path that passes no vertex twice
	back := b.Reverse()
	out, reached, err := levels.Of(ctx, &b.Graph, back, 0, nil, threads)
	if err != nil {
		return 0, err
	}
	if reached == n-b.virtual() { // virtual vertices: nothing leads to them
		in := out
		if b.Directed() {
			if in, reached, err = levels.Of(ctx, back, &b.Graph, 0, nil, threads); err != nil {
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
