package preprocess

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bcstage/internal/measures"
	"bcstage/internal/wholes"
	"bcstage/preprocess/question"
)

// A step is one stage of Reduce. Steps with a name are reductions: they remove parts that
// have a closed form, or make searches shorter, and scores are the same without them. The
// others make the next form of the graph from the last, whichever reductions are on.
type step struct {
	name string
	// of lists parts of a question, by key. The reduction exists only if the question has
	// one of them; empty: always.
	of string
	// needs is the reduction whose result this one's formulas require.
	needs string
	// exact lists the measures, and the parts of a question beside the zero question, for
	// which the reduction as written is exact. For any other it is off, so that a new
	// question is answered exactly before any formula has been made to fit it.
	exact []string
	// parts lists likewise those for which it is exact where the share of a way is the product of the shares of its parts:
	// question.Parts. Sources must not be drawn, since draws are of originals that count alike.
	parts []string
	// adds is the measure whose closed forms run adds to; empty: none.
	adds string
	// always says that the step is needed for more than counted paths. The others are left
	// out where the question counts no paths.
	always bool
	run    func(r *reducer, ctx context.Context, closed wholes.Forms) error
	// without makes the input of the next step where this one is off; nil: it exists.
	without func(r *reducer, ctx context.Context, closed wholes.Forms) error
}

// steps lists the steps that a graph passes through in Reduce. The list is made once; it must not be changed.
var steps = sync.OnceValue(func() []step {
	words := func(lists ...string) []string { return strings.Fields(strings.Join(lists, " ")) }
	const (
		// Endpoints and draws are independent of all reductions.
		sums    = "betweenness component_size endpoints way seed"
		lengths = "weight unit repeats"
		edges   = "edge-scores"
		decay   = "decay decay-floor"
		trips   = "trips trips-unit trips-total"
		gravity = "constrained stay"
		reached = "access within weighted_harmonic weighted_farness"
		ends    = "sources targets origins destinations origins-unit destinations-unit origins-total destinations-total"
	)
	return []step{
		{always: true, run: (*reducer).numberWhole},
		{run: (*reducer).sumDemand},
		{adds: measures.Betweenness, run: (*reducer).countEndpoints},
		{name: "pruning", of: "weight", always: true, exact: words(sums, edges, lengths, ends, decay, gravity, reached, trips, "directed cutoff"), run: (*reducer).prune},
		{run: (*reducer).shadowGraph},
		{name: "folding", exact: words(sums, edges, lengths, ends, "directed"), parts: words("betweenness component_size endpoints decay", lengths, gravity, ends), adds: measures.Betweenness, run: (*reducer).fold, without: (*reducer).keepLeaves},
		{adds: measures.Betweenness, run: (*reducer).numberCore},
		{run: (*reducer).sumCounts},
		{name: "blocks", exact: words(sums, edges, lengths, ends, "directed"), adds: measures.Betweenness, run: (*reducer).findBlocks, without: (*reducer).keepComponents},
		{run: (*reducer).measureBlocks},
		{adds: measures.Betweenness, run: (*reducer).spreadMasses},
		{name: "cliques", exact: words(sums, edges, ends, decay, gravity, "directed cutoff"), run: (*reducer).dropCliques},
		{name: "cycles", needs: "blocks", exact: words(sums, edges, lengths, ends, "directed"), adds: measures.Betweenness, run: (*reducer).settleCycles},
		{run: (*reducer).copyBlocks},
		{name: "two-way", of: "directed", exact: words(sums, lengths, ends, decay, gravity, reached, trips, "directed cutoff"), run: (*reducer).dropDirections},
		{run: (*reducer).dropIdle},
		{run: (*reducer).turnBlocks},
		{run: (*reducer).dropDeadEnds},
		{run: (*reducer).sortAcyclic},
		{run: (*reducer).sowTrips},
		{run: (*reducer).boundPaths},
		{name: "massless", of: "sources targets origins destinations trips", exact: words("betweenness component_size endpoints directed cutoff", edges, lengths, ends, decay, gravity, trips), run: (*reducer).contract},
		{run: (*reducer).markAccess},
		{name: "chains", needs: "blocks", exact: words(sums, edges, lengths, ends, "directed"), run: (*reducer).findChains},
		{name: "twins", exact: words(sums, edges, lengths, ends, decay, gravity, "directed cutoff"), adds: measures.Betweenness, run: (*reducer).mergeTwins},
		{run: (*reducer).markHung},
		{run: (*reducer).layFlows},
		{name: "out-sets", of: "directed", exact: words("betweenness component_size endpoints directed", ends), adds: measures.Betweenness, run: (*reducer).mergeSources},
		{name: "directed-twins", of: "directed", needs: "out-sets", exact: words("betweenness component_size endpoints directed", ends), run: (*reducer).mergeDirectedTwins},
		{always: true, run: (*reducer).layDistances},
		{always: true, run: (*reducer).makeBatches},
		{always: true, run: func(r *reducer, ctx context.Context, _ wholes.Forms) error { return r.plan.Measure(ctx) }},
	}
})

// reductions lists, in the order of steps, which reductions are on for a question if those
// named in off are not wanted. drawn: see Options.Drawn.
func reductions(q question.Question, off []string, drawn bool) (all []Reduction) {
	paths, distances := q.Searches(measures.Paths), q.Searches(measures.Distances)
	for _, s := range steps() {
		if s.name == "" || s.of != "" && !slices.ContainsFunc(strings.Fields(s.of), q.Has) {
			continue
		}
		r := Reduction{Name: s.name}
		needed := slices.IndexFunc(all, func(r Reduction) bool { return r.Name == s.needs && r.Off != "" })
		flag := q.Beyond(s.exact)
		if s.parts != nil && q.Parts() && !drawn && q.Beyond(s.parts) == "" {
			flag = ""
		}
		switch {
		case slices.Contains(off, s.name):
			r.Off = "not wanted"
		case !paths && !(s.always && distances):
			r.Off = "no paths to count"
		case flag != "":
			r.Off = flag
		case needed >= 0:
			r.Off = "needs " + s.needs
		}
		all = append(all, r)
	}
	return all
}

// checkOff returns an error if one of the names is not a reduction.
func checkOff(off []string) error {
	for _, name := range off {
		if name == "" || !slices.ContainsFunc(steps(), func(s step) bool { return s.name == name }) {
			return fmt.Errorf("%w: no reduction is called %q", errOptions, name)
		}
	}
	return nil
}
