package pipeline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"hash"
	"slices"

	"bcstage/arrowio"
	"bcstage/preprocess"
)

// names are what tells the vertices of a run apart: ids and, where there are
// several graphs or two sides, these.
type names struct {
	ids   arrowio.Keys
	typ   arrowio.IDType
	by    []arrowio.KeyColumn // a row per graph
	graph []uint32            // by vertex; nil: there is one graph
	side  []uint8             // by vertex; nil: not bipartite
}

// namesOf are those that a Builder made of columns of the given types. Without a
// row, there are the columns all the same.
func namesOf(ids preprocess.Keys, parts preprocess.Parts, typ arrowio.IDType, by []arrowio.GroupColumn, bipartite bool) (names, error) {
	n := names{ids: arrowio.Keys(ids), typ: typ, graph: parts.Of, side: parts.Side}
	if len(parts.By) > 0 && len(parts.By) != len(by) {
		return n, fmt.Errorf("%w: the source sent %d columns that name the graph, and described %d", ErrOptions, len(parts.By), len(by))
	}
	for i, column := range by {
		key := arrowio.KeyColumn{Name: column.Name, Type: column.Type}
		if len(parts.By) > 0 {
			key.Keys = arrowio.Keys(parts.By[i])
		}
		n.by = append(n.by, key)
	}
	if bipartite && n.side == nil {
		n.side = []uint8{}
	}
	return n, nil
}

// namesIn are those of a table.
func namesIn(t *arrowio.Table) names {
	return names{ids: t.IDs, typ: t.Type, by: t.By, graph: t.Graph, side: t.Side}
}

// table has the names and no column beside them.
func (n *names) table() arrowio.Table {
	return arrowio.Table{IDs: n.ids, Type: n.typ, By: n.by, Graph: n.graph, Side: n.side}
}

// rows are the columns that name the graph, a row per vertex.
func (n *names) rows() (columns []preprocess.Keys) {
	for _, column := range n.by {
		columns = append(columns, preprocess.Keys(column.Keys).Pick(n.graph))
	}
	return columns
}

// parts are the names as a Builder has them.
func (n *names) parts() preprocess.Parts {
	p := preprocess.Parts{Of: n.graph, Side: n.side}
	for _, column := range n.by {
		p.By = append(p.By, preprocess.Keys(column.Keys))
	}
	return p
}

// held is their memory.
func (n *names) held() int64 {
	parts := n.parts()
	return preprocess.Keys(n.ids).Held() + parts.Held()
}

// columns are the names and types of what names the graphs.
func (n *names) columns() (list []arrowio.GroupColumn) {
	for _, column := range n.by {
		list = append(list, arrowio.GroupColumn{Name: column.Name, Type: column.Type})
	}
	return list
}

func (n *names) equal(other *names) bool {
	sameColumn := func(a, b arrowio.KeyColumn) bool { return a.Name == b.Name && sameIDs(a.Keys, b.Keys) }
	return sameIDs(n.ids, other.ids) && slices.EqualFunc(n.by, other.by, sameColumn) &&
		slices.Equal(n.graph, other.graph) && bytes.Equal(n.side, other.side)
}

// hashTo hashes what stands beside the ids, nothing if there is nothing.
func (n *names) hashTo(h hash.Hash) {
	for _, column := range n.by {
		fmt.Fprintf(h, "by %q %d %d %d\n", column.Name, len(column.Keys.Ints), len(column.Keys.Offsets), len(column.Keys.Bytes))
		hashNumbers(h, column.Keys.Ints)
		hashNumbers(h, column.Keys.Offsets)
		h.Write(column.Keys.Bytes)
	}
	if len(n.by) > 0 {
		fmt.Fprintf(h, "graphs %d\n", len(n.graph))
		hashNumbers(h, n.graph)
	}
	if n.side != nil {
		fmt.Fprintf(h, "sides %d\n", len(n.side))
		h.Write(n.side)
	}
}

// metadata says what a reader of a table must know of the names.
func (n *names) metadata() (list []arrowio.KeyValue) {
	if len(n.by) > 0 {
		var columns []string
		for _, column := range n.by {
			columns = append(columns, column.Name)
		}
		text, err := json.Marshal(columns)
		if err != nil {
			panic(err) // strings have a JSON form
		}
		list = append(list, arrowio.KeyValue{Key: "by", Value: string(text)})
	}
	if n.side != nil {
		list = append(list, arrowio.KeyValue{Key: arrowio.BipartiteKey, Value: "true"})
	}
	return list
}

// byScore lists the vertices of each graph by falling score, graph after graph in
// first-seen order, ties in first-seen order.
func (n *names) byScore(scores []float64) []uint32 {
	order := make([]uint32, len(scores))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int {
		if n.graph != nil && n.graph[a] != n.graph[b] {
			return cmp.Compare(n.graph[a], n.graph[b])
		}
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	})
	return order
}

// MostGraphs is how many graphs statistics list.
const MostGraphs = 1000

// Graphs is what statistics say of several graphs in one run.
type Graphs struct {
	By    []string `json:"by"`    // columns that name a graph
	Count int      `json:"count"` // graphs in all
	// Largest are up to MostGraphs graphs, those of most edges first, then of most
	// vertices, then in first-seen order. That is all of them unless Count is more.
	Largest []GraphSize `json:"largest"`
	// Work is the sum of n·m over all graphs: what GTEPS counts.
	Work float64 `json:"work"`
}

// GraphSize is one of several graphs.
type GraphSize struct {
	Name     []string `json:"name"` // a value per column of Graphs.By, as text
	Vertices int      `json:"n"`
	Edges    int64    `json:"m"` // -1: not known, as after a merge
}

// graphs sums vertices and edges up by graph. degrees are by vertex; nil: they
// are not known.
func (n *names) graphs(degrees func(vertex int) uint32) *Graphs {
	if len(n.by) == 0 {
		return nil
	}
	sizes := make([]GraphSize, n.by[0].Keys.Len())
	for v, graph := range n.graph {
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
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(sizes[b].Edges, sizes[a].Edges), cmp.Compare(sizes[b].Vertices, sizes[a].Vertices))
	})
	for _, column := range n.by {
		g.By = append(g.By, column.Name)
	}
	for _, graph := range order[:min(len(order), MostGraphs)] {
		size := sizes[graph]
		for _, column := range n.by {
			size.Name = append(size.Name, column.Type.Format(column.Keys, graph))
		}
		g.Largest = append(g.Largest, size)
	}
	return g
}
