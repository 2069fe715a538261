package preprocess

import (
	"cmp"
	"context"
	"slices"
)

// arrangeDirected sets the Sources and Entries of a directed block. Distances from
// landmarks, which order the sources of an undirected one, do not tell how much of
// their way two searches share where most vertices do not reach each other. Sources
// follow each other by their smallest out-neighbour instead: local numbers are
// breadth first, so those nearby in it reach much the same at much the same levels.
func (b *Block) arrangeDirected() {
	n := b.Vertices()
	b.Sources = make([]uint32, n)
	for v := range b.Sources {
		b.Sources[v] = uint32(v)
	}
	b.Sources = b.beginners(b.Sources)
	b.Entries = n * min(b.Lanes, shallow)
	first := func(v uint32) uint32 {
		if row := b.Neighbours(v); len(row) > 0 {
			return row[0]
		}
		return none
	}
	slices.SortFunc(b.Sources, func(u, v uint32) int { return cmp.Or(cmp.Compare(first(u), first(v)), cmp.Compare(u, v)) })
}

// arrangeShadow sets the Sources of a directed block whose arcs have lengths: in the
// order that they have in its shadow. Searches with lengths share distances where
// their sources are near to one another, whichever way arcs run: batches of rome99
// are then searched in a third of the time.
func (b *Block) arrangeShadow(ctx context.Context, threads int) error {
	shadow, err := b.shadow(ctx, threads)
	if err != nil {
		return err
	}
	both := Block{Graph: *shadow, From: b.From, To: b.To}
	err = both.arrange(ctx, b.Lanes, threads)
	b.Sources, b.Entries = both.Sources, both.Entries
	return err
}
