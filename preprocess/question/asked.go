package question

import (
	"cmp"
	"slices"
	"strings"

	"bcstage/internal/measures"
)

// Asked returns the measures asked for, in the order of the question, each within all of several cutoffs.
func (q Question) Asked() []measures.Measure {
	asked := make([]measures.Measure, 0, 1)
	for _, name := range q.measures() {
		if m, ok := measures.Named(name); ok {
			asked = append(asked, q.within(q.suit(m))...)
		}
	}
	return asked
}

// within returns a measure within each cutoff, if there are several and searches sum some part of it.
func (q Question) within(m measures.Measure) []measures.Measure {
	cutoffs := q.Cutoffs()
	if len(cutoffs) < 2 || m.Search == "" && len(m.Sums) == 0 {
		return []measures.Measure{m}
	}
	list := make([]measures.Measure, len(cutoffs))
	for i, cutoff := range cutoffs {
		m.Cutoff = cutoff
		list[i] = m
		list[i].Column = strings.TrimSuffix(m.Column, "_centrality") + m.Behind()
		list[i].Help += ", within " + cutoff
	}
	return list
}

// suit returns a measure as it is computed for this question. By lengths, distances are not whole numbers. Where paths
// begin or end at some vertices only, or have a cutoff, the size of its component does not determine what a vertex
// reaches.
func (q Question) suit(m measures.Measure) measures.Measure {
	name := cmp.Or(m.Of, m.Name)
	if q.HasMasses() && (name == measures.Betweenness || name == measures.EdgeBetweenness) {
		m.Flow, m.Column, m.Help = true, measures.FlowColumn, "product of the masses at the ends of the shortest paths through it"
		if q.HasTrips() {
			m.Help = "trips between the ends of the shortest paths through it"
		}
	}
	if q.Lengths.Column != "" && (name == measures.Farness || name == measures.Eccentricity) {
		m.Whole = false
	}
	if m.Of != "" || q.Sources == (Set{}) && q.Targets == (Set{}) && q.Cutoff == "" {
		return m // in a directed graph, components never do
	}
	switch name {
	case measures.Reach:
		m.Sums, m.Search, m.Join = []string{measures.Reach}, measures.Distances, measures.Sum
	case measures.Closeness, measures.ClosenessClassic:
		m.Sums = append(slices.Clone(m.Sums), measures.Reach)
	}
	return m
}

// Reaches reports whether searches sum the vertices reached, because the sizes of components do not determine them.
func (q Question) Reaches() bool {
	m, _ := measures.Named(measures.Reach)
	return q.Directed || q.suit(m).Search != ""
}

// Sums returns the measures that searches sum for those asked for, in the order of the registry. It includes
// betweenness of vertices if betweenness of edges or the masses reached are asked for: one search finds both.
func (q Question) Sums() (sums []measures.Measure) {
	asked := q.Asked()
	beside := q.Edges || slices.ContainsFunc(asked, func(m measures.Measure) bool { return slices.ContainsFunc(m.Sums, reached) })
	for _, m := range measures.All() {
		if extra := beside && m.Name == measures.Betweenness; extra ||
			slices.ContainsFunc(asked, func(a measures.Measure) bool { return slices.Contains(a.Sums, m.Name) }) {
			if m = q.suit(m); extra || m.Search != "" {
				sums = append(sums, q.within(m)...)
			}
		}
	}
	if q.Edges {
		sums = append(sums, q.within(q.suit(measures.OfEdges()))...)
	}
	return sums
}

// reached reports whether a measure is about the target masses that sources reach.
func reached(name string) bool {
	m, _ := measures.Named(name)
	return m.Search == measures.Reached
}

// Searches reports whether the question needs that kind of search.
func (q Question) Searches(search measures.Search) bool {
	return slices.ContainsFunc(q.Sums(), func(m measures.Measure) bool { return m.Search == search })
}

// Asks reports whether one of the measures is asked for.
func (q Question) Asks(names ...string) bool {
	return slices.ContainsFunc(q.measures(), func(name string) bool { return slices.Contains(names, name) })
}

// measures returns the names asked for.
func (q Question) measures() []string {
	if len(q.Measures) == 0 {
		return []string{measures.Betweenness}
	}
	return q.Measures
}
