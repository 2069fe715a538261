package building

import (
	"fmt"

	"bcstage/internal/budget"
	"bcstage/internal/spill"
	"bcstage/preprocess/question"
)

// Spills reports whether Spill may be called: edges are in memory, and only the graph is made of them.
func (b *Builder) Spills() bool {
	return b.Files != nil && !b.spilled && b.rows > 0 && len(b.weights) == 0 && !b.KeepEdges && b.Repeats != question.RepeatsKeep
}

// Spill moves the edges to Files. Later ones go there, too, and so do the halves of rows that are made of them. An error
// ends the Builder.
func (b *Builder) Spill() error {
	b.spilled = true
	moved := int64(0)
	for i, from := range b.edges {
		to, err := b.chunk(cap(from.src))
		if err != nil {
			return err
		}
		b.edges[i] = pairs{append(to.src, from.src...), append(to.dst, from.dst...)}
		b.Files.Idle(to.src[:1])
		moved += budget.Held(from.src) + budget.Held(from.dst)
	}
	budget.Reclaim(moved)
	return nil
}

// filed is where edges are; nil: in memory.
func (b *Builder) filed() *spill.Files {
	if b.spilled {
		return b.Files
	}
	return nil
}

// chunk makes room for edges.
func (b *Builder) chunk(size int) (pairs, error) {
	if !b.spilled {
		return pairs{make([]uint32, 0, size), make([]uint32, 0, size)}, nil
	}
	both, err := b.Files.Make(2 * size)
	if err != nil {
		b.err = fmt.Errorf("preprocess: %w", err)
		return pairs{}, b.err
	}
	return pairs{both[:0:size], both[size:size]}, nil
}
