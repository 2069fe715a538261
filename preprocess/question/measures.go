package question

import "slices"

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

// Measure is a number that can be asked for.
type Measure struct {
	Name     string // that it is asked for by
	Column   string // that it is written to
	Per      Per
	Join     Join
	Directed bool   // of a directed graph it has two meanings, Name_in and Name_out, and Name is refused
	Help     string // one line
}

// Names of measures that the program itself speaks of.
const (
	Betweenness   = "betweenness"
	ComponentSize = "component_size"
)

// Measures is every measure there is. Help, documentation and the names of
// columns are made from it.
func Measures() []Measure {
	return []Measure{
		{
			Name: Betweenness, Column: "betweenness_centrality", Per: PerVertex, Join: Sum,
			Help: "shortest paths that pass through the vertex, each pair's adding up to one",
		},
		{
			Name: ComponentSize, Column: "component_size", Per: PerVertex, Join: Max,
			Help: "vertices of its connected component, itself included",
		},
	}
}

// Named is the registered measure of a name.
func Named(name string) (Measure, bool) {
	all := Measures()
	i := slices.IndexFunc(all, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return Measure{}, false
	}
	return all[i], true
}

// Asked is the measures asked for, in the order of the question.
func (q Question) Asked() []Measure {
	asked := make([]Measure, 0, 1)
	for _, name := range q.measures() {
		if m, ok := Named(name); ok {
			asked = append(asked, m)
		}
	}
	return asked
}

// measures are the names asked for.
func (q Question) measures() []string {
	if len(q.Measures) == 0 {
		return []string{Betweenness}
	}
	return q.Measures
}
