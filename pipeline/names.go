package pipeline

import (
	"fmt"
	"sort"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/pipeline/internal/change"
	"bcstage/pipeline/internal/ledger"
)

// names tell the vertices of a run apart.
type names struct{ ledger.Names }

// namesOf returns the names that a Builder made of columns of the given types. The columns are
// there even without rows.
func namesOf(ids building.Keys, scopes building.Scopes, typ tables.IDType, by []tables.GroupColumn, bipartite bool) (names, error) {
	n := names{ledger.Names{IDs: tables.Keys(ids), Type: typ, Graph: scopes.Of, Side: scopes.Side}}
	if len(scopes.By) > 0 && len(scopes.By) != len(by) {
		return n, fmt.Errorf("%w: the source sent %d columns that name the graph, and described %d", ErrOptions, len(scopes.By), len(by))
	}
	for i, column := range by {
		key := tables.KeyColumn{Name: column.Name, Type: column.Type}
		if len(scopes.By) > 0 {
			key.Keys = tables.Keys(scopes.By[i])
		}
		n.By = append(n.By, key)
	}
	if bipartite && n.Side == nil {
		n.Side = []uint8{}
	}
	return n, nil
}

// texts reports whether ids are bytes. Without vertices they have no offsets.
func (n *names) texts() bool { return n.IDs.Offsets != nil || !n.Type.IsInteger() }

// rows returns the columns that name the graph, a row per vertex.
func (n *names) rows() (columns []building.Keys) {
	for _, column := range n.By {
		columns = append(columns, building.Keys(column.Keys).Pick(n.Graph))
	}
	return columns
}

// vertices returns the names, one row per vertex.
func (n *names) vertices() change.Vertices {
	return change.Vertices{IDs: building.Keys(n.IDs), Side: n.Side, By: n.rows()}
}

// scopes returns the names in a Builder's form.
func (n *names) scopes() building.Scopes {
	p := building.Scopes{Of: n.Graph, Side: n.Side}
	for _, column := range n.By {
		p.By = append(p.By, building.Keys(column.Keys))
	}
	return p
}

// held is the memory of the names.
func (n *names) held() int64 {
	scopes := n.scopes()
	return building.Keys(n.IDs).Held() + scopes.Held()
}

// listed is the memory of the graphs' names in statistics.
func (n *names) listed() (bytes int64) {
	for _, column := range n.By {
		if graphs := int64(column.Keys.Len()); graphs > 0 {
			bytes += int64(len(column.Keys.Bytes)) * min(graphs, mostGraphs) / graphs
		}
	}
	return bytes
}

// columns returns the names and types of the columns that name the graphs.
func (n *names) columns() (list []tables.GroupColumn) {
	for _, column := range n.By {
		list = append(list, tables.GroupColumn{Name: column.Name, Type: column.Type})
	}
	return list
}

// graphs sums vertices and edges by graph. degrees are by vertex; nil: unknown.
func (n *names) graphs(degrees func(vertex int) uint32) *Graphs {
	if len(n.By) == 0 {
		return nil
	}
	sizes := make([]GraphSize, n.By[0].Keys.Len())
	for v, graph := range n.Graph {
		sizes[graph].Vertices++
		if degrees != nil {
			sizes[graph].Edges += int64(degrees(v))
		}
	}
	g := &Graphs{Count: len(sizes)}
	order := make([]int, len(sizes))
	for i := range sizes {
		order[i] = i
		if sizes[i].Edges /= 2; degrees == nil {
			sizes[i].Edges = -1
		}
		g.Work += float64(sizes[i].Vertices) * float64(max(sizes[i].Edges, 0))
	}
	sort.SliceStable(order, func(i, j int) bool {
		x, y := sizes[order[i]], sizes[order[j]]
		return x.Edges > y.Edges || x.Edges == y.Edges && x.Vertices > y.Vertices
	})
	for _, column := range n.By {
		g.By = append(g.By, column.Name)
	}
	for _, graph := range order[:min(len(order), mostGraphs)] {
		size := sizes[graph]
		for _, column := range n.By {
			size.Name = append(size.Name, column.Type.Format(column.Keys, graph))
		}
		g.Largest = append(g.Largest, size)
	}
	return g
}
