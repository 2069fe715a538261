package pipeline

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/measures"
	"bcstage/pipeline/internal/ledger"
	"bcstage/preprocess/question"
)

// scoreTable is the table of a complete partial: a column for each measure of the question, in its order. Measures
// share sums, so all are computed here, from the sums and from the graph's own facts:
//
//	closeness           reach/farness * reach/(n-1), n of the vertex's graph
//	                    (S. Wasserman, K. Faust, "Social Network Analysis", 1994)
//	closeness_classic   reach/farness
//	reach               component_size - 1, unless searches found it out
//	mean_distance       weighted_farness/within
//	weighted_closeness  within/weighted_farness * within/(mass of the others in the vertex's graph)
//	rank                1 + how many of the graph are higher in the first column
//
// Where paths begin or end at some vertices only, n-1 counts the other vertices that could reach the vertex, or be
// reached. By lengths, distances are in the column's numbers. A vertex that reaches no other has 0 in all of them.
// An estimate is of betweenness alone; each score's interval follows it.
func scoreTable(p *ledger.Partial, found *estimates, order Order) tables.Table {
	asked := p.Question().Asked()
	table := p.Names.Table()
	for _, m := range asked {
		if m.Name != measures.Rank {
			table.Columns = append(table.Columns, tables.Column{Name: m.Column, Values: values(p, &table, m)})
		}
	}
	found.describe(&table, p, p.Question().Asks(measures.Betweenness), 0)
	if at := slices.IndexFunc(asked, func(m measures.Measure) bool { return m.Name == measures.Rank }); at >= 0 {
		table.Columns = slices.Insert(table.Columns, at, tables.Column{Name: asked[at].Column, Values: tables.Ints(nil)})
	}
	Arrange(&table, order)
	return table
}

// edgeTable is the table of the edges' scores of a complete partial. Those of an estimate have intervals.
func edgeTable(p *ledger.Partial, found *estimates) tables.Table {
	of := edgeMeasures(p.Question())
	table := p.Names.Table()
	table.Pairs = &tables.Pairs{Names: edgeEnds(), Ends: p.EdgeEnds()}
	for _, m := range of {
		table.Columns = append(table.Columns, tables.Column{Name: m.Column, Values: sums(p, m)})
	}
	first := 0
	if found != nil {
		first = len(found.vertices)
	}
	found.describe(&table, p, true, first)
	return table
}

// values returns a measure by vertex; not for ranks.
func values(p *ledger.Partial, table *tables.Table, m measures.Measure) tables.Values {
	switch m.Name {
	case measures.Component, measures.ComponentSize:
		return tables.Ints(p.Fact(m.Name))
	case measures.IndependentSet:
		members := make(tables.Bools, 0, table.IDs.Len())
		for _, x := range p.Fact(m.Name) {
			members = append(members, x == 1)
		}
		return members
	}
	switch cmp.Or(m.Of, m.Name) {
	case measures.MeanDistance, measures.WeightedCloseness:
		return byMass(p, table, m)
	case measures.Degree:
		return tables.Ints(p.Fact(m.Name))
	case measures.Reach:
		return reach(p, m)
	case measures.Closeness, measures.ClosenessClassic:
		return closeness(p, table, m)
	}
	if m.Whole {
		return tables.Ints(p.Whole(m.Key()))
	}
	return sums(p, m)
}

// sums returns a measure by vertex or edge. Distances by lengths are in the column's numbers, flows in the numbers
// of the masses' columns.
func sums(p *ledger.Partial, m measures.Measure) tables.Floats {
	list := tables.Floats(p.Sums(m.Key()))
	one, some := new(big.Rat).SetString(p.Names.One)
	unit := flowOne(p.Question())
	switch {
	case m.Flow:
	case m.Search == measures.Reached:
		unit = reachedOne(p.Question(), m, one)
	case !some || m.Search != measures.Distances:
		return list
	case cmp.Or(m.Of, m.Name) == measures.Harmonic:
		unit = newUnit(one.Inv(one))
	default:
		unit = newUnit(one)
	}
	return unit.list(list)
}

// byMass is the mean distance to the masses that a vertex reaches, or closeness with masses in place of vertices.
func byMass(p *ledger.Partial, table *tables.Table, m measures.Measure) tables.Floats {
	within, farness := sums(p, alongside(m, measures.Within)), sums(p, alongside(m, measures.WeightedFarness))
	mean := m.Name == measures.MeanDistance
	var own []int64 // by vertex, in the graph's units
	all := make([]float64, table.Graphs())
	one := newUnit(building.Scale{Unit: p.Question().Destinations.Unit}.One())
	if !mean {
		own = p.Fact(ledger.TargetMass)
		for v, mass := range own {
			all[table.GraphOf(v)] += float64(mass)
		}
	}
	list := make(tables.Floats, len(within))
	for v, mass := range within {
		switch {
		case farness[v] == 0:
		case mean:
			list[v] = farness[v] / mass
		default:
			list[v] = mass / farness[v] * (mass / one.of(all[table.GraphOf(v)]-float64(own[v])))
		}
	}
	return list
}

// wayOf is measures.In or Out for a measure of directed graphs, otherwise empty.
func wayOf(m measures.Measure) string {
	if m.Of == "" {
		return ""
	}
	return strings.TrimPrefix(m.Name, m.Of)
}

// alongside is another measure of the same directions and within the same cutoff.
func alongside(m measures.Measure, name string) measures.Measure {
	other, _ := measures.Named(name + wayOf(m))
	other.Cutoff = m.Cutoff
	return other
}

// reach returns the reached vertices by vertex, for a measure: from the searches, or from the component.
func reach(p *ledger.Partial, of measures.Measure) tables.Ints {
	if p.Question().Reaches() {
		return p.Whole(alongside(of, measures.Reach).Key())
	}
	sizes := p.Fact(measures.ComponentSize)
	list := make(tables.Ints, len(sizes))
	for v, size := range sizes {
		list[v] = size - 1
	}
	return list
}

// closeness by vertex: Wasserman and Faust's, for graphs of several components, or the classic one.
func closeness(p *ledger.Partial, table *tables.Table, m measures.Measure) tables.Floats {
	fact := ledger.IsSource // of the vertices whose distances count
	if wayOf(m) == measures.Out {
		fact = ledger.IsTarget
	}
	is := p.Fact(fact) // nil: all
	others := make([]int64, table.Graphs())
	for v := range table.IDs.Len() {
		if is == nil {
			others[table.GraphOf(v)]++
		} else {
			others[table.GraphOf(v)] += is[v]
		}
	}
	list := make(tables.Floats, table.IDs.Len())
	farness := sums(p, alongside(m, measures.Farness))
	for v, reached := range reach(p, m) {
		if farness[v] == 0 {
			continue // alone
		}
		list[v] = float64(reached) / farness[v]
		if cmp.Or(m.Of, m.Name) == measures.Closeness {
			own := int64(1)
			if is != nil {
				own = is[v]
			}
			list[v] *= float64(reached) / float64(others[table.GraphOf(v)]-own)
		}
	}
	return list
}

// pairsOf says what an undivided score sums over.
func pairsOf(directed bool) string {
	if directed {
		return "sum over ordered pairs"
	}
	return "sum over unordered pairs"
}

// undivided says that scores are not divided, and what they sum.
func undivided(asked question.Question) string {
	each := ""
	if asked.Decay.Share != "" {
		each = ", each times the share of its distance"
	}
	switch {
	case !asked.HasMasses():
		return "none: " + pairsOf(asked.Directed) + each
	case asked.HasTrips():
		return "none: sum over ordered pairs of the trips between them"
	case asked.Gravity.Constrained != "":
		return "none: sum over ordered pairs of the first one's mass times the second one's part of the masses that the first reaches" + each
	}
	return "none: sum over ordered pairs of the product of their masses" + each
}

// provenance is the metadata written beside the scores of vertices, and of edges.
func provenance(p *ledger.Partial, betweenness, exact bool) []tables.KeyValue {
	list := []tables.KeyValue{
		{Key: "version", Value: Version()},
		{Key: "engine", Value: strings.Join(p.Engines, ",")},
		{Key: "precision", Value: string(p.Identity.Precision)},
		{Key: "n", Value: strconv.Itoa(p.Identity.Vertices)},
		{Key: "m", Value: strconv.FormatInt(p.Identity.Edges, 10)},
		{Key: "fingerprint", Value: p.Identity.Fingerprint},
	}
	asked := p.Question()
	if betweenness {
		list = append(list, tables.KeyValue{Key: "normalisation", Value: undivided(asked)})
	}
	if betweenness && asked.HasMasses() {
		list = append(list, tables.KeyValue{Key: "flow_unit", Value: flowUnit(asked)})
	}
	if exact {
		asked = asked.Exact() // whichever way computed it
	}
	if text := asked.String(); text != "" {
		list = append(list, tables.KeyValue{Key: "question", Value: text})
	}
	return list
}
