package pipeline

import (
	"cmp"
	"slices"

	"bcstage/arrowio"
	"bcstage/pipeline/ledger"
	"bcstage/preprocess/question"
)

// scoreTable is the table of a complete partial: a column for each measure asked
// for, in that order. What some are made of others read too, so that all are
// worked out here, from the sums and from what the graph alone tells:
//
//	closeness           reach/farness * reach/(n-1), n of the vertex's graph
//	                    (S. Wasserman, K. Faust, "Social Network Analysis", 1994)
//	closeness_classic   reach/farness
//	reach               component_size - 1
//	rank                1 + how many of the graph are higher in the first column
//
// A vertex that reaches none has 0 in all of them. Of an estimate, which is of
// betweenness alone, the interval of each score stands behind it.
func scoreTable(p *ledger.Partial, found *estimates, order Order) arrowio.Table {
	asked := p.Question().Asked()
	table := p.Names.Table()
	for _, m := range asked {
		if m.Name != question.Rank {
			table.Columns = append(table.Columns, arrowio.Column{Name: m.Column, Values: values(p, &table, m)})
		}
	}
	table.Metadata = append(provenance(p, found == nil || found.Way == "exact"), p.Names.Metadata()...)
	if found != nil {
		scores, lower, upper := found.apply(table.Columns[0].Values.(arrowio.Floats))
		table.Columns = []arrowio.Column{
			{Name: arrowio.ScoreColumn, Values: arrowio.Floats(scores)},
			{Name: LowerColumn, Values: arrowio.Floats(lower)}, {Name: UpperColumn, Values: arrowio.Floats(upper)},
		}
		for pair := range slices.Chunk(found.describe(), 2) {
			table.Metadata = append(table.Metadata, arrowio.KeyValue{Key: pair[0], Value: pair[1]})
		}
	}
	at := slices.IndexFunc(asked, func(m question.Measure) bool { return m.Name == question.Rank })
	if at < 0 && order != ByScore {
		return table
	}
	of := names{p.Names}
	first := table.Columns[0].Values
	sorted := of.byValue(first)
	if at >= 0 {
		ranks := arrowio.Column{Name: asked[at].Column, Values: of.ranks(sorted, first)}
		table.Columns = slices.Insert(table.Columns, at, ranks)
	}
	if order == ByScore {
		table.Order = sorted
	}
	return table
}

// values of a measure by vertex; not of ranks.
func values(p *ledger.Partial, table *arrowio.Table, m question.Measure) arrowio.Values {
	switch m.Name {
	case question.Degree, question.Component, question.ComponentSize:
		return arrowio.Ints(p.Fact(m.Name))
	case question.Reach:
		reach := make(arrowio.Ints, table.IDs.Len())
		for v, size := range p.Fact(question.ComponentSize) {
			reach[v] = size - 1
		}
		return reach
	case question.Closeness, question.ClosenessClassic:
		return closeness(p, table, m.Name == question.Closeness)
	}
	if m.Whole {
		return arrowio.Ints(p.Whole(m.Name))
	}
	return arrowio.Floats(p.Sums(m.Name))
}

// closeness by vertex; corrected is Wasserman and Faust's, for graphs of several
// components.
func closeness(p *ledger.Partial, table *arrowio.Table, corrected bool) arrowio.Floats {
	vertices := make([]int, table.Graphs())
	for v := range table.IDs.Len() {
		vertices[table.GraphOf(v)]++
	}
	list := make(arrowio.Floats, table.IDs.Len())
	farness := p.Whole(question.Farness)
	for v, size := range p.Fact(question.ComponentSize) {
		if farness[v] == 0 {
			continue // alone
		}
		reach := float64(size - 1)
		list[v] = reach / float64(farness[v])
		if corrected {
			list[v] *= reach / float64(vertices[table.GraphOf(v)]-1)
		}
	}
	return list
}

// compareValues compares two vertices by their values.
func compareValues(of arrowio.Values, a, b uint32) int {
	switch of := of.(type) {
	case arrowio.Ints:
		return cmp.Compare(of[a], of[b])
	case arrowio.Floats:
		return cmp.Compare(of[a], of[b])
	}
	return 0
}

// byValue lists the vertices of each graph by falling value, graph after graph in
// first-seen order, ties in first-seen order.
func (n *names) byValue(of arrowio.Values) []uint32 {
	order := make([]uint32, of.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if n.Graph != nil && n.Graph[a] != n.Graph[b] {
			return cmp.Compare(n.Graph[a], n.Graph[b])
		}
		return cmp.Or(compareValues(of, b, a), cmp.Compare(a, b))
	})
	return order
}

// ranks of the vertices in an order by value: equal values share the first of their
// places.
func (n *names) ranks(sorted []uint32, of arrowio.Values) arrowio.Ints {
	ranks := make(arrowio.Ints, len(sorted))
	begin := 0 // of the graph
	for i, v := range sorted {
		switch {
		case i == 0:
		case n.Graph != nil && n.Graph[v] != n.Graph[sorted[i-1]]:
			begin = i
		case compareValues(of, v, sorted[i-1]) == 0:
			ranks[v] = ranks[sorted[i-1]]
			continue
		}
		ranks[v] = int64(i-begin) + 1
	}
	return ranks
}
