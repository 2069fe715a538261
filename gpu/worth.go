package gpu

import (
	"slices"

	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess"
)

// worth says whether devices may search a block at all. Cores search trees on chains, and chains with drawn sources.
func (o Options) worth(b *preprocess.Block) bool {
	search := measures.Paths
	if b.Kind().Reach() {
		search = measures.Distances
	}
	return !b.FindsOwn() && (!b.HasFlows() || slices.Contains(o.Searches, measures.Flows)) && (!b.Kind().Chained() || !b.HasDraws()) && TakesLengths(b) && TakesMasses(b) && b.Vertices() >= max(o.MinBlock, 1) && slices.Contains(o.Searches, search)
}

// TakesLengths says whether devices may search a block as far as lengths matter. If it has lengths, paths must go
// from edge to edge, to targets that count the same for all sources.
func TakesLengths(b *preprocess.Block) bool {
	return !b.HasLengths() || b.Kind() == engine.KindLengths && len(b.Waived) == 0 && !b.HasFlows() && !b.Linear
}

// TakesMasses says whether devices may search a block as far as masses matter. Source masses, and target masses,
// must add up to at most csr.MaxVertices, the room of kernels, and count alike at any distance and from any source.
// Each arc is there once: strategy level writes the path counts of the first level, and does not add them up.
func TakesMasses(b *preprocess.Block) bool {
	if b.Decay != nil || b.HasTrips() || b.Repeats() {
		return false
	}
	light := func(masses []float64) bool {
		total := 0.0
		for _, mass := range masses {
			total += mass
		}
		return total <= csr.MaxVertices
	}
	return light(b.From) && (b.OneMass() || light(b.To))
}
