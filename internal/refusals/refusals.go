// Package refusals is the table of all that has no answer together. Questions, options and commands have names in it.
package refusals

// Refusal is a row of All: With has no answer together with any of Asked. Names are flags, flags with a value, commands,
// inputs, and the parts of a question that have no flag of their own.
type Refusal struct {
	With    string
	Asked   []string
	AllElse bool // refused is every part of a question but Asked
	Why     string
}

// Parts of a question that are not one flag.
const (
	SeveralCutoffs   = "several of --cutoff"
	OtherMeasures    = "--columns without betweenness"
	DistanceMeasures = "--columns of distances"
	ReachedMeasures  = "--columns of masses reached"
	EdgesOfRepeats   = "--edge-scores with --repeats keep"
)

// Options and calls beside a question, which callers of Answerable name.
const (
	Since          = "--since"
	SinceEstimated = "--since with --estimate"
	By             = "--by"
	Bipartite      = "--bipartite"
	OneWay         = "--oneway"
	Keep           = "--keep"
	EdgeKeep       = "--edge-keep"
	Unrouted       = "--unrouted"
	EngineGPU      = "--engine gpu"
	Float32        = "--precision float32"
	Checkpoint     = "--checkpoint"
	PartialResult  = "a partial result"
	PreparedGraph  = "a prepared graph"
	Prepare        = "prepare"
	WhatIf         = "whatif"
	Distances      = "distances"
	CountedPaths   = "distances --paths"
	SearchBench    = "bench --problem"
)

// All lists all combinations that are refused. Every check of them, its error and the table of docs/reference.md follow
// from it. What a row does not name is answered.
func All() []Refusal {
	const sizes = "no sizes of components to divide by; --scale pairs divides by the pairs of the whole graph"
	return []Refusal{
		{With: "--trips", Asked: []string{"--sources", "--targets", "--origins", "--destinations", "--decay", "--constrained"}, Why: "the table alone says which pairs count"},
		{With: "--trips", Asked: []string{Bipartite}, Why: "a table of trips does not say which side its ids are of"},
		{With: "--estimate", Asked: []string{SeveralCutoffs}, Why: "each cutoff needs draws of its own; run an estimate for each"},
		{With: "--way pairs", Asked: []string{"--constrained"}, Why: "what a pair counts takes a search of all that its source reaches"},
		{With: "--way pairs", Asked: []string{"--repeats keep"}, Why: "a drawn path counts each edge once"},
		{With: "--way pairs", Asked: []string{EngineGPU}, Why: "cores search between pairs"},
		{With: "--certain", Asked: []string{"--certain-change"}, Why: "want one of both"},

		{With: Prepare, Asked: []string{Since, Keep, EdgeKeep}, Why: "a prepared graph has no scores yet"},
		{With: Prepare, Asked: []string{"--origins", "--destinations", "--trips", "--decay", "--constrained", ReachedMeasures, SeveralCutoffs}, Why: "the run over the prepared graph takes it"},
		{With: Prepare, Asked: []string{"--repeats keep", "--edge-scores"}, Why: "a prepared graph has each edge once, without the order of edges"},
		{With: PreparedGraph, Asked: []string{"--repeats keep", "--edge-scores", EdgeKeep}, Why: "it has each edge once, without the order and columns of edges"},
		{With: PreparedGraph, Asked: []string{OneWay}, Why: "prepare takes that flag, and a run of its graph takes --directed"},
		{With: PartialResult, Asked: []string{Keep, EdgeKeep, "--top", "--sort", "--scale", "--normalized"}, Why: "only final scores have rows and a scale"},
		{With: PartialResult, Asked: []string{EdgesOfRepeats}, Why: "it has no rows of edges"},
		{With: "--partial", Asked: []string{"--edge-scores"}, Why: "a partial result keeps the sums of edges; the last merge writes the scores"},

		{With: Since, Asked: []string{"--way sources", "--way sources-raw"}, Why: "changes are estimated from pairs"},
		{With: Since, Asked: []string{OtherMeasures, DistanceMeasures}, Why: "only betweenness is updated"},
		{With: Since, Asked: []string{SeveralCutoffs, "--repeats keep", ReachedMeasures}, Why: "an update has one sum, of paths by distinct edges"},
		{With: Since, Asked: []string{"--directed", "--weight", "--repeats", "--sources", "--targets", "--origins", "--destinations", "--trips", "--cutoff", "--decay", "--constrained", "--columns", "--estimate"}, AllElse: true,
			Why: "flows through vertices are updated, without the ends of paths"},
		{With: SinceEstimated, Asked: []string{"--directed", "--origins", "--destinations", "--columns", "--estimate"}, AllElse: true, Why: "changes are estimated from pairs that count their masses, with all paths by edges"},
		{With: Since, Asked: []string{PartialResult, Checkpoint}, Why: "sums of batches are of one graph"},
		{With: Since, Asked: []string{Float32}, Why: "changes need float64"},

		{With: WhatIf, Asked: []string{"--trips", "--cutoff", "--decay", "--constrained"}, Why: "a block counts what hangs on it as one mass, whatever its trips and distances are; --since with --changes takes them"},
		{With: WhatIf, Asked: []string{"--directed", "--weight", "--repeats", "--origins", "--destinations"}, AllElse: true, Why: "rows are of betweenness and distances between all pairs"},
		{With: WhatIf, Asked: []string{"--repeats keep"}, Why: "an edge is removed with its parallels"},
		{With: WhatIf, Asked: []string{Since, By, Bipartite}, Why: "want one graph, of one set of vertices"},
		{With: WhatIf, Asked: []string{PartialResult, Checkpoint}, Why: "rows have no parts"},
		{With: WhatIf, Asked: []string{Float32}, Why: "changes need float64"},

		{With: Distances, Asked: []string{"--directed", "--weight", "--repeats", "--sources", "--targets", "--trips", "--cutoff"}, AllElse: true, Why: "distances are of pairs, not of scores"},
		{With: Distances, Asked: []string{SeveralCutoffs}, Why: "want one: near pairs come first"},
		{With: Distances, Asked: []string{PartialResult, Checkpoint}, Why: "rows have no parts"},
		{With: Distances, Asked: []string{Unrouted}, Why: "rows are of pairs that a path joins"},
		{With: CountedPaths, Asked: []string{"--repeats keep"}, Why: "paths are counted with each edge once"},
		{With: SearchBench, Asked: []string{"--directed", "--weight", "--repeats"}, AllElse: true, Why: "a search from one source finds distances to all vertices"},
		{With: SearchBench, Asked: []string{"--engines", "--precisions", "--lanes", "--threads", "--verify", By}, Why: "it does not apply to searches from one source"},

		{With: "--scale", Asked: []string{OtherMeasures}, Why: "other measures have no scale"},
		{With: "--scale", Asked: []string{"--origins", "--destinations", "--trips", "--constrained"}, Why: "flows are in the units of masses or trips"},
		{With: "--scale", Asked: []string{"--decay"}, Why: "scores of pairs that count by their distance have no scale"},
		{With: "--scale", Asked: []string{SeveralCutoffs}, Why: "scores within several cutoffs have no scale"},
		{With: "--scale component", Asked: []string{"--directed", OneWay}, Why: "vertices of a component need not reach each other; --scale pairs divides by the pairs of the whole graph"},
		{With: "--scale component", Asked: []string{"--estimate", "merge"}, Why: sizes},
	}
}
