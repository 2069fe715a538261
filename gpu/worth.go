package gpu

import (
	"slices"

	"bcstage/internal/csr"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// worth says whether a block is one for devices at all. Trees on chains are for cores,
// and sources that are drawn inside chains.
func (o Options) worth(b *preprocess.Block) bool {
	search := question.Paths
	if b.Kind().Reach() {
		search = question.Distances
	}
	return !b.FindsOwn() && (!b.HasFlows() || slices.Contains(o.Searches, question.Flows)) && (!b.Kind().Chained() || !b.HasDraws()) && TakesLengths(b) && TakesMasses(b) && b.Vertices() >= max(o.MinBlock, 1) && slices.Contains(o.Searches, search)
}

// TakesLengths says whether a block is for devices as far as lengths go: where there are
// some, paths are searched from edge to edge, to targets that count the same for all.
func TakesLengths(b *preprocess.Block) bool {
	return !b.HasLengths() || b.Kind() == preprocess.KindLengths && len(b.Waived) == 0 && !b.HasFlows() && !b.Linear
}

// TakesMasses says whether a block is for devices as far as masses go: as sources and as targets, they are no more
// in all than vertices can be, which is what kernels have room for, and count alike at any distance and from any source.
func TakesMasses(b *preprocess.Block) bool {
	if b.Decay != nil || b.HasTrips() {
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
