package gpu

import (
	"fmt"
	"slices"

	"bcstage/gpu/internal/survey"
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
	return !b.FindsOwn() && (!b.HasFlows() || slices.Contains(o.Searches, measures.Flows)) && (!b.Kind().Chained() || !b.HasDraws()) && !lengths && masses == "" && b.Vertices() >= max(o.MinBlock, 1) && slices.Contains(o.Searches, search)
}

// Leaves says why devices leave a block to cores. Lengths: it has lengths, and not all paths go from edge to edge to
// targets that count the same for all sources. Masses names what else has no kernels, or no room in them; "": nothing.
// Strategy level writes the path counts of the first level, and does not add up those of repeated arcs.
func Leaves(b *preprocess.Block) (lengths bool, masses string) {
	heavy := func(masses []float64) bool { return total(masses) > csr.MaxVertices }
	lengths = b.HasLengths() && (b.Kind() != engine.KindLengths || len(b.Waived) > 0 || b.HasFlows() || b.Linear)
	switch {
	case b.HasTrips():
		masses = "trips"
	case b.Times != nil:
		masses = "estimates of edges"
	case b.Repeats():
		masses = "repeated edges"
	case heavy(b.From) || !b.OneMass() && heavy(b.To):
		masses = fmt.Sprintf("blocks with masses of more than %d units in all", csr.MaxVertices)
	case b.Decay != nil:
		if shares, _ := b.Decay.Numbers(survey.Beyond(b)); shares > survey.MostShares {
			masses = fmt.Sprintf("shares at more than %d distances", survey.MostShares)
		}
	}
	return lengths, masses
}
