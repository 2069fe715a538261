package preprocess

import (
	"context"

	"bcstage/internal/cpu/levels"
)

// around is how many vertices some vertex of a directed block reaches, and the largest distance; and how many reach it,
// likewise. The vertex is one that many sources reach. It is zero if not measured.
type around struct{ Out, Ahead, In, Behind int }

// measureAround sets Around of directed blocks that may be meshes: those with Farness, which paths from edge to edge have.
func (b *Block) measureAround(ctx context.Context) (err error) {
	if !b.Directed() || b.Farness == nil {
		return nil
	}
	v := b.Sources[len(b.Sources)-1]
	if next := b.Neighbours(v); len(next) > 0 {
		v = next[0] // a source that others share has no in-arcs
	}
	a := around{}
	if a.Ahead, a.Out, err = levels.Of(ctx, &b.Graph, b.In, v, nil, 1); err == nil {
		a.Behind, a.In, err = levels.Of(ctx, b.In, &b.Graph, v, nil, 1)
	}
	if err == nil {
		b.Around = a
	}
	return err
}
