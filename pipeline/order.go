package pipeline

import (
	"cmp"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
)

// Arrange orders the rows of a table from a Sink, and computes a column of ranks again. Callers
// need it after they changed the first column, for instance by dividing scores by graph.
func Arrange(t *tables.Table, order Order) {
	if t.Pairs != nil {
		arrangePairs(t, order)
		return
	}
	at := slices.IndexFunc(t.Columns, func(c tables.Column) bool { return c.Name == measures.Rank })
	if at < 0 && order != ByScore {
		return
	}
	first := t.Columns[0].Values
	sorted := byValue(t.Graph, first)
	if at >= 0 {
		t.Columns[at].Values = ranks(t.Graph, sorted, first)
	}
	if order == ByScore {
		t.Order = sorted
	}
}

// arrangePairs is Arrange for edges. By score, the edges of each graph stand together, as vertices
// do, ties in the order of the table.
func arrangePairs(t *tables.Table, order Order) {
	if order != ByScore {
		return
	}
	ends := t.Pairs.Ends
	sorted := byValue(csr.Pick(t.Graph, ends[0]), t.Columns[0].Values)
	t.Pairs = &tables.Pairs{Names: t.Pairs.Names, Ends: [2][]uint32{csr.Pick(ends[0], sorted), csr.Pick(ends[1], sorted)}}
	t.Columns = slices.Clone(t.Columns)
	for i, c := range t.Columns {
		t.Columns[i].Values = csr.Pick(c.Values.(tables.Floats), sorted)
	}
	t.Kept = slices.Clone(t.Kept)
	for i := range t.Kept {
		t.Kept[i].KeptValues = t.Kept[i].Pick(sorted)
	}
}

// compareValues compares two vertices by their values.
func compareValues(of tables.Values, a, b uint32) int {
	switch of := of.(type) {
	case tables.Ints:
		return cmp.Compare(of[a], of[b])
	case tables.Floats:
		return cmp.Compare(of[a], of[b])
	case tables.Bools:
		return cmp.Compare(of.Word(int(a)), of.Word(int(b)))
	}
	return 0
}

// byValue lists the vertices of each graph by falling value, graph after graph in
// first-seen order, ties in first-seen order.
func byValue(graph []uint32, of tables.Values) []uint32 {
	order := csr.Ascending(of.Len())
	slices.SortFunc(order, func(a, b uint32) int {
		if graph != nil && graph[a] != graph[b] {
			return cmp.Compare(graph[a], graph[b])
		}
		return cmp.Or(compareValues(of, b, a), cmp.Compare(a, b))
	})
	return order
}

// ranks returns the ranks of the vertices in an order by value: equal values share the first of
// their places.
func ranks(graph, sorted []uint32, of tables.Values) tables.Ints {
	ranks := make(tables.Ints, len(sorted))
	begin := 0 // of the graph
	for i, v := range sorted {
		switch {
		case i == 0:
		case graph != nil && graph[v] != graph[sorted[i-1]]:
			begin = i
		case compareValues(of, v, sorted[i-1]) == 0:
			ranks[v] = ranks[sorted[i-1]]
			continue
		}
		ranks[v] = int64(i-begin) + 1
	}
	return ranks
}
