package question

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// Per says what has a number of its own.
type Per string

// What has a number of its own.
const (
	PerVertex Per = "vertex"
	PerEdge   Per = "edge"
	PerSource Per = "source"
)

// Join says how the numbers of two parts of a run, or of two sources, become
// that of both. Either way order and grouping do not matter.
type Join string

// How numbers are joined.
const (
	Sum Join = "sum"
	Max Join = "max"
)

// Search says what the searches must find out that a measure is made of.
type Search string

// What searches find out. Counting paths takes a way out and a way back; for
// distances alone, the way out without a number per source is enough.
const (
	Paths     Search = "paths"
	Distances Search = "distances"
	Flows     Search = "flows"   // beside Paths: what goes over each edge, see Question.Edges
	Reached   Search = "reached" // beside Paths, from their way out: what each source reaches of target masses
)

// Measure is a number that can be asked for.
type Measure struct {
	Name     string // that it is asked for by
	Cutoff   string // of several cutoffs, the one that it is within; else empty: see Question.Cutoffs
	Column   string // that it is written to
	Per      Per
	Whole    bool   // the column is of integers
	Truth    bool   // the column is of booleans
	Flow     bool   // of betweenness: vertices have masses
	Directed bool   // of a directed graph it has two meanings, Name_in and Name_out, and Name is refused
	Of       string // of Name_in and Name_out: Name; else empty
	Help     string // one line

	// Sums are the measures that it is worked out from, by name, when all searches
	// are done: itself, if searches add it up. None: the graph alone tells.
	Sums   []string
	Search Search // of a measure that is added up; else empty
	Join   Join   // likewise
}

// Names of measures that the program itself speaks of.
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

	// By target masses: what ends at the vertices that a vertex reaches.
	Access            = "access"
	Within            = "within"
	MeanDistance      = "mean_distance"
	WeightedCloseness = "weighted_closeness"
	WeightedHarmonic  = "weighted_harmonic"
	WeightedFarness   = "weighted_farness"

	Rank = "rank"
)

// Names of what an undirected measure means along the arcs of a directed graph: by
// the distances to a vertex, or those from it.
const (
	In  = "_in"
	Out = "_out"
)

// FlowColumn is the column of betweenness, of vertices and edges, where vertices have masses.
const FlowColumn = "flow"

// EdgeBetweenness is the name of the measure of OfEdges.
const EdgeBetweenness = "edge_betweenness"

// OfEdges is the one measure of edges, which Question.Edges asks for: shortest paths
// over each. An edge of an undirected graph counts those of both directions. It is in
// no list of columns, since these are of vertices.
//
//	M. Girvan, M. E. J. Newman, "Community structure in social and biological
//	    networks", PNAS 99 (2002)
func OfEdges() Measure {
	return Measure{Name: EdgeBetweenness, Column: "edge_betweenness_centrality", Per: PerEdge,
		Help: "shortest paths over it, those of a pair counting as one", Sums: []string{EdgeBetweenness}, Search: Paths, Join: Sum}
}

// Measures is every measure there is of vertices: those of any graph, then, for those of them
// that have two meanings in directed ones, these. Help, documentation and the names
// of columns are made from it.
func Measures() []Measure { return slices.Clone(registered()) }

// registered is the same, made once, and not to be changed.
var registered = sync.OnceValue(func() []Measure {
	all := undirected()
	for _, m := range all {
		if m.Directed {
			all = append(all, m.along(In, "that reach it"), m.along(Out, "that it reaches"))
		}
	}
	return all
})

// along is the measure by the arcs that lead to a vertex, or from it.
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
	// Of a directed graph, components do not tell what is reached.
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

// undirected is the measures that have one meaning in an undirected graph.
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
			Help: "masses that it reaches, with --cutoff within that"}),
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

// Key tells the measure from all others that a question asks for: its name, and of several cutoffs the one that it is within.
func (m Measure) Key() string { return m.Name + m.behind() }

// behind is what stands behind names of several cutoffs.
func (m Measure) behind() string {
	if m.Cutoff == "" {
		return ""
	}
	return "_" + m.Cutoff
}

// Outward says whether the measure is by the distances from a vertex of a directed
// graph.
func (m Measure) Outward() bool { return m.Of != "" && strings.HasSuffix(m.Name, Out) }

// Named is the registered measure of a name.
func Named(name string) (Measure, bool) {
	all := registered()
	i := slices.IndexFunc(all, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, false
	}
	return all[i], true
}

// Asked is the measures asked for, in the order of the question; of several cutoffs each measure within all of them.
func (q Question) Asked() []Measure {
	asked := make([]Measure, 0, 1)
	for _, name := range q.measures() {
		if m, ok := Named(name); ok {
			asked = append(asked, q.within(q.suit(m))...)
		}
	}
	return asked
}

// within is a measure within each cutoff, if there are several, and searches add up something of it.
func (q Question) within(m Measure) []Measure {
	cutoffs := q.Cutoffs()
	if len(cutoffs) < 2 || m.Search == "" && len(m.Sums) == 0 {
		return []Measure{m}
	}
	list := make([]Measure, len(cutoffs))
	for i, cutoff := range cutoffs {
		m.Cutoff = cutoff
		list[i] = m
		list[i].Column = strings.TrimSuffix(m.Column, "_centrality") + m.behind()
		list[i].Help += ", within " + cutoff
	}
	return list
}

// suit is a measure as it is worked out for this question. By lengths, distances are
// no whole numbers. Where paths begin or end at some vertices only, or may not be
// long, the size of its component does not tell what a vertex reaches.
func (q Question) suit(m Measure) Measure {
	name := cmp.Or(m.Of, m.Name)
	if q.HasMasses() && (name == Betweenness || name == EdgeBetweenness) {
		m.Flow, m.Column, m.Help = true, FlowColumn, "product of the masses at the ends of the shortest paths through it"
		if q.HasTrips() {
			m.Help = "trips between the ends of the shortest paths through it"
		}
	}
	if q.Lengths.Column != "" && (name == Farness || name == Eccentricity) {
		m.Whole = false
	}
	if m.Of != "" || q.Sources == (Set{}) && q.Targets == (Set{}) && q.Cutoff == "" {
		return m // of a directed graph, components never do
	}
	switch name {
	case Reach:
		m.Sums, m.Search, m.Join = []string{Reach}, Distances, Sum
	case Closeness, ClosenessClassic:
		m.Sums = append(slices.Clone(m.Sums), Reach)
	}
	return m
}

// Reaches says whether what vertices reach is added up by searches, the sizes of
// components not telling it.
func (q Question) Reaches() bool {
	m, _ := Named(Reach)
	return q.Directed || q.suit(m).Search != ""
}

// Sums is the measures that searches add up for those asked for, in the order of
// the registry. Betweenness of vertices is among them where that of edges, or what sources reach, is asked
// for: searches find both in one.
func (q Question) Sums() (sums []Measure) {
	asked := q.Asked()
	beside := q.Edges || slices.ContainsFunc(asked, func(m Measure) bool { return slices.ContainsFunc(m.Sums, reached) })
	for _, m := range registered() {
		if m = q.suit(m); beside && m.Name == Betweenness ||
			m.Search != "" && slices.ContainsFunc(asked, func(a Measure) bool { return slices.Contains(a.Sums, m.Name) }) {
			sums = append(sums, q.within(m)...)
		}
	}
	if q.Edges {
		sums = append(sums, q.within(q.suit(OfEdges()))...)
	}
	return sums
}

// reached tells whether a measure is of what sources reach of target masses.
func reached(name string) bool {
	m, _ := Named(name)
	return m.Search == Reached
}

// Searches says whether searches must find this out.
func (q Question) Searches(search Search) bool {
	return slices.ContainsFunc(q.Sums(), func(m Measure) bool { return m.Search == search })
}

// Asks says whether one of the measures is asked for.
func (q Question) Asks(names ...string) bool {
	return slices.ContainsFunc(q.measures(), func(name string) bool { return slices.Contains(names, name) })
}

// measures are the names asked for.
func (q Question) measures() []string {
	if len(q.Measures) == 0 {
		return []string{Betweenness}
	}
	return q.Measures
}
