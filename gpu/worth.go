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
	lengths, masses := Leaves(b)
	return !b.FindsOwn() && (!b.HasFlows() || slices.Contains(o.Searches, measures.Flows)) && (!b.Kind().Chained() || !b.HasDraws()) && !lengths && !masses && b.Vertices() >= max(o.MinBlock, 1) && slices.Contains(o.Searches, search)
}

// Leaves says why devices leave a block to cores. Lengths: it has lengths, and not all paths go from edge to edge to
// targets that count the same for all sources. Masses: source masses, or target masses, add up to more than
// csr.MaxVertices, the room of kernels, or do not count alike at any distance and from any source. So does a block with
// repeated arcs: strategy level writes the path counts of the first level, and does not add them up.
func Leaves(b *preprocess.Block) (lengths, masses bool) {
	heavy := func(masses []float64) bool { return total(masses) > csr.MaxVertices }
	lengths = b.HasLengths() && (b.Kind() != engine.KindLengths || len(b.Waived) > 0 || b.HasFlows() || b.Linear)
	masses = b.Decay != nil || b.HasTrips() || b.Repeats() || heavy(b.From) || !b.OneMass() && heavy(b.To)
	return lengths, masses
}
