// Package measures lists the numbers that a question can ask for: names, columns, and what searches sum for each.
// Package question says which of them one question needs.
package measures

import (
	"slices"
	"strings"
	"sync"
)

// Per names the thing that has a number of its own.
type Per string

// The things that can have a number of their own.
const (
	PerVertex Per = "vertex"
	PerEdge   Per = "edge"
	PerSource Per = "source"
)

// Join says how the numbers of two parts of a run, or of two sources, are combined. Order and grouping never matter.
type Join string

// The ways of combining numbers.
const (
	Sum Join = "sum"
	Max Join = "max"
)

// Search names the kind of search that a measure needs.
type Search string

// The kinds of search. Counting paths takes a forward and a backward pass. For distances alone, the forward pass
// without a number per source is enough.
const (
	Paths     Search = "paths"
	Distances Search = "distances"
	Flows     Search = "flows"   // beside Paths: the flow over each edge, see question.Question.Edges
	Reached   Search = "reached" // beside Paths, from their forward pass: the target masses that each source reaches
)

// Measure is a number that can be asked for.
type Measure struct {
	Name     string // its name in questions
	Cutoff   string // one of several cutoffs; else empty: see question.Question.Cutoffs
	Column   string // its name in results
	Per      Per
	Whole    bool   // the column is of integers
	Truth    bool   // the column is of booleans
	Flow     bool   // of betweenness: vertices have masses
	Directed bool   // in a directed graph it has two meanings, Name_in and Name_out, and Name is refused
	Of       string // of Name_in and Name_out: Name; else empty
	Help     string // one line

	// Sums are the names of the measures that it is computed from when all searches are done: itself, if searches sum
	// it. None: it follows from the graph alone.
	Sums   []string
	Search Search // of a measure that searches sum; else empty
	Join   Join   // likewise
}

// Names of measures that the program itself refers to.
const (
	Betweenness      = "betweenness"
	Closeness        = "closeness"
	ClosenessClassic = "closeness_classic"
	Harmonic         = "harmonic"
	Farness          = "farness"
	Eccentricity     = "eccentricity"
	Reach            = "reach"
	Degree           = "degree"
	Component        = "component"
	ComponentSize    = "component_size"
	IndependentSet   = "independent_set"

	// By target masses: the mass at the vertices that a vertex reaches.
	Access            = "access"
	Within            = "within"
	MeanDistance      = "mean_distance"
	WeightedCloseness = "weighted_closeness"
	WeightedHarmonic  = "weighted_harmonic"
	WeightedFarness   = "weighted_farness"

	Rank = "rank"
)

// Suffixes for the two meanings of an undirected measure in a directed graph: by the distances to a vertex, or those
// from it.
const (
	In  = "_in"
	Out = "_out"
)

// FlowColumn is the column of betweenness, of vertices and edges, where vertices have masses.
const FlowColumn = "flow"

// EdgeBetweenness is the name of the measure of OfEdges.
const EdgeBetweenness = "edge_betweenness"

// OfEdges returns the one measure of edges, which question.Question.Edges asks for: shortest paths over each edge. An edge of an
// undirected graph counts those of both directions. The measure is in no list of columns, since these are for vertices.
//
//	M. Girvan, M. E. J. Newman, "Community structure in social and biological
//	    networks", PNAS 99 (2002)
func OfEdges() Measure {
	return Measure{Name: EdgeBetweenness, Column: "edge_betweenness_centrality", Per: PerEdge,
		Help: "shortest paths over it, those of a pair counting as one", Sums: []string{EdgeBetweenness}, Search: Paths, Join: Sum}
}

// All lists every measure of vertices: first those of any graph, then both meanings of measures that have two in
// directed graphs. Help, documentation and the names of columns are made from it. The list is made once; it must not be
// changed.
var All = sync.OnceValue(func() []Measure {
	all := undirected()
	for _, m := range all {
		if m.Directed {
			all = append(all, m.along(In, "that reach it"), m.along(Out, "that it reaches"))
		}
	}
	return slices.Clip(all)
})

// along returns the measure by the arcs that lead to a vertex, or from it.
func (m Measure) along(way, which string) Measure {
	m.Of, m.Directed = m.Name, false
	m.Help = m.Of + ", of a directed graph's vertices " + which
	if m.Of == Degree {
		m.Help = "arcs that lead " + map[string]string{In: "to it", Out: "from it"}[way]
	}
	base, centrality := strings.CutSuffix(m.Column, "_centrality")
	if m.Column = base + way; centrality {
		m.Column += "_centrality"
	}
	// In a directed graph, the component does not determine what is reached.
	sums := slices.Clone(m.Sums)
	switch m.Of {
	case Reach:
		sums, m.Search, m.Join = []string{Reach}, Distances, Sum
	case Closeness, ClosenessClassic:
		sums = append(sums, Reach)
	}
	m.Sums = nil
	for _, name := range sums {
		m.Sums = append(m.Sums, name+way)
	}
	m.Name += way
	return m
}

// undirected lists the measures of undirected graphs.
func undirected() []Measure {
	added := func(search Search, join Join, m Measure) Measure {
		m.Per, m.Sums, m.Search, m.Join = PerVertex, []string{m.Name}, search, join
		return m
	}
	told := func(m Measure, sums ...string) Measure {
		m.Per, m.Sums = PerVertex, sums
		return m
	}
	return []Measure{
		added(Paths, Sum, Measure{Name: Betweenness, Column: "betweenness_centrality",
			Help: "shortest paths through it, those of a pair counting as one"}),
		told(Measure{Name: Closeness, Column: "closeness_centrality", Directed: true,
			Help: "reach/farness * reach/(n-1), as Wasserman and Faust have it"}, Farness),
		told(Measure{Name: ClosenessClassic, Column: "closeness_classic_centrality", Directed: true,
			Help: "reach/farness"}, Farness),
		added(Distances, Sum, Measure{Name: Harmonic, Column: "harmonic_centrality", Directed: true,
			Help: "sum of 1/distance over the vertices that it reaches"}),
		added(Distances, Sum, Measure{Name: Farness, Column: "farness", Whole: true, Directed: true,
			Help: "sum of the distances to the vertices that it reaches"}),
		added(Distances, Max, Measure{Name: Eccentricity, Column: "eccentricity", Whole: true, Directed: true,
			Help: "distance of the farthest vertex that it reaches"}),
		told(Measure{Name: Reach, Column: "reach", Whole: true, Directed: true,
			Help: "other vertices that it reaches"}),
		told(Measure{Name: Degree, Column: "degree", Whole: true, Directed: true,
			Help: "neighbours, repeated edges once and loops not at all"}),
		told(Measure{Name: Component, Column: "component", Whole: true,
			Help: "number of its component, from 0 in first-seen order"}),
		told(Measure{Name: ComponentSize, Column: "component_size", Whole: true,
			Help: "vertices of its component, itself included"}),
		told(Measure{Name: IndependentSet, Column: "independent_set", Truth: true,
			Help: "whether it is in a maximal set without neighbours"}),
		added(Reached, Sum, Measure{Name: Access, Column: "access",
			Help: "masses that it reaches, each by the share of its distance"}),
		added(Reached, Sum, Measure{Name: Within, Column: "within",
			Help: "masses that it reaches, within the cutoff if there is one"}),
		told(Measure{Name: MeanDistance, Column: "mean_distance",
			Help: "weighted_farness/within"}, Within, WeightedFarness),
		told(Measure{Name: WeightedCloseness, Column: "weighted_closeness",
			Help: "closeness with masses for vertices"}, Within, WeightedFarness),
		added(Reached, Sum, Measure{Name: WeightedHarmonic, Column: "weighted_harmonic",
			Help: "sum of mass/distance over what it reaches"}),
		added(Reached, Sum, Measure{Name: WeightedFarness, Column: "weighted_farness",
			Help: "sum of mass times distance over what it reaches"}),
		told(Measure{Name: Rank, Column: "rank", Whole: true,
			Help: "place by the first column, from 1; ties share the first"}),
	}
}

// Key returns a unique name among all measures of a question: the name and, with several cutoffs, the cutoff.
func (m Measure) Key() string { return m.Name + m.Behind() }

// Behind returns the suffix of names for several cutoffs.
func (m Measure) Behind() string {
	if m.Cutoff == "" {
		return ""
	}
	return "_" + m.Cutoff
}

// Outward reports whether the measure is by the distances from a vertex of a directed graph.
func (m Measure) Outward() bool { return m.Of != "" && strings.HasSuffix(m.Name, Out) }

// Named returns the registered measure of that name.
func Named(name string) (Measure, bool) {
	all := All()
	i := slices.IndexFunc(all, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, false
	}
	return all[i], true
}
