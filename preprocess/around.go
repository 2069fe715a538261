package preprocess

import (
	"context"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/parallel"
)

// around is how many vertices some vertex of a directed block reaches, and the largest distance; and how many reach it,
// likewise. The vertex is one that many sources reach. It is zero if not measured.
type around struct{ Out, Ahead, In, Behind int }

// measureAround sets Around of directed blocks that may be meshes: those with Farness.
func (b *Block) measureAround(ctx context.Context) (err error) {
	if !b.Directed() || b.Farness == nil || b.Kind() != engine.KindHops {
		return nil
	}
	v := b.Sources[len(b.Sources)-1]
	if next := b.Neighbours(v); len(next) > 0 {
		v = next[0] // a source that others share has no in-arcs
	}
	a := around{}
	if a.Out, a.Ahead, err = reachFrom(ctx, &b.Graph, v); err == nil {
		a.In, a.Behind, err = reachFrom(ctx, b.In, v)
	}
	if err == nil {
		b.Around = a
	}
	return err
}

// reachFrom returns the number of vertices that one reaches, itself included, and the largest distance. The only error is
// the context's.
func reachFrom(ctx context.Context, g *csr.Graph, from uint32) (count, farthest int, err error) {
	met, list := make([]bool, g.Vertices()), make([]uint32, 1, g.Vertices())
	met[from], list[0] = true, from
	for first := 0; first < len(list); farthest++ {
		level := list[first:]
		first = len(list)
		for i, v := range level {
			if i%parallel.Interval == 0 && ctx.Err() != nil {
				return 0, 0, ctx.Err()
			}
			for _, u := range g.Neighbours(v) {
				if !met[u] {
					met[u], list = true, append(list, u)
				}
			}
		}
	}
	return len(list), farthest - 1, nil
}
