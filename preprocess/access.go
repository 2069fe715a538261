package preprocess

import (
	"context"

	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/wholes"
)

// EachAccess calls add for every graph vertex that is a source of the given batches; access is their Result.Access.
func (b *Block) EachAccess(batches []engine.Batch, access []engine.Access, add func(vertex uint32, access engine.Access)) {
	for _, batch := range batches {
		for i, s := range b.Sources[batch.First : batch.First+batch.Count] {
			add(b.vertices[s], access[i])
		}
		access = access[batch.Count:]
	}
}

// markAccess has blocks report what their sources reach, if the question asks for it. Sources are the vertices that
// paths may begin at, with source mass or without; vertices without out-arcs reach nothing and are left out.
func (r *reducer) markAccess(context.Context, wholes.Forms) error {
	q, n := r.plan.Question, r.plan.Vertices
	if !q.Searches(measures.Reached) {
		return nil
	}
	if q.Asks(measures.WeightedCloseness) {
		r.plan.TargetMass = r.opts.end(n)
	}
	begins := ownMass(n, q.Sources, r.opts.Sources)
	for i := range r.plan.Blocks {
		b := &r.plan.Blocks[i]
		b.Access, b.counted = true, make([]bool, b.Vertices())
		for local, v := range b.vertices {
			b.counted[local] = begins[v] > 0 && b.Offsets[local] < b.Offsets[local+1]
		}
	}
	r.plan.keepBlocks(func(_ int, b *Block) bool { return b.begins() > 0 })
	return nil
}
