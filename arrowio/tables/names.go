package tables

// Names of the output columns.
const (
	VertexColumn    = "vertex"
	ScoreColumn     = "betweenness_centrality"
	EdgeScoreColumn = "edge_betweenness_centrality" // in a table of edges, from "src" to "dst"
)

// BipartiteKey is the metadata that says "true" if SideColumn distinguishes the
// sides of one graph, not graphs.
const BipartiteKey = "bipartite"

// SrcKey and DstKey are the metadata that name the columns of the edges' ends, if
// options named them.
const (
	SrcKey = "src"
	DstKey = "dst"
)

// SideColumn names the side of a vertex in bipartite graphs: SideSrc if edges have
// it as source, SideDst if as destination.
const (
	SideColumn = "side"
	SideSrc    = "src"
	SideDst    = "dst"
)

// KeyColumn is a named column of keys.
type KeyColumn struct {
	Name string
	Type IDType
	Keys Keys
}

// Graphs is the number of graphs that the vertices are in.
func (t *Table) Graphs() int {
	if len(t.By) == 0 {
		return 1
	}
	return t.By[0].Keys.Len()
}

// GraphOf is the number of a vertex's graph.
func (t *Table) GraphOf(vertex int) int {
	if t.Graph == nil {
		return 0
	}
	return int(t.Graph[vertex])
}

// NameColumn is one of the columns that together name a vertex, for writing: its
// graph, its side, its id.
type NameColumn struct {
	KeyColumn
	Of []uint32 // by vertex, or row of a table by pair: its row in Keys; nil: the same row
}

// Names lists the columns that together name a vertex, in the order of the output,
// with a function that appends a vertex's value in a column as text.
func (t *Table) Names() (names []string, format func(text []byte, column, vertex int) []byte) {
	columns := t.NameColumns()
	for i := range columns {
		names = append(names, columns[i].Name)
	}
	return names, func(text []byte, column, vertex int) []byte { return columns[column].AppendText(text, vertex) }
}

func (t *Table) NameColumns() (columns []NameColumn) {
	if t.Pairs == nil {
		return t.namesOf(nil, SideColumn, VertexColumn)
	}
	for i, name := range t.Pairs.Names {
		of := t.namesOf(t.Pairs.Ends[i], name+"_"+SideColumn, name)
		if i > 0 {
			of = of[len(t.By):] // the other end has the same graph
		}
		columns = append(columns, of...)
	}
	return columns
}

// namesOf lists the columns that name some vertices; nil: all.
func (t *Table) namesOf(vertices []uint32, side, id string) (columns []NameColumn) {
	through := func(of []uint32) []uint32 {
		if vertices == nil {
			return of
		}
		rows := make([]uint32, len(vertices))
		for row, v := range vertices {
			rows[row] = of[v]
		}
		return rows
	}
	for _, c := range t.By {
		columns = append(columns, NameColumn{c, through(t.Graph)})
	}
	if t.Side != nil {
		of := make([]uint32, len(t.Side))
		for v, side := range t.Side {
			of[v] = uint32(side)
		}
		sides := Keys{Bytes: []byte(SideSrc + SideDst), Offsets: []int64{0, int64(len(SideSrc)), int64(len(SideSrc + SideDst))}}
		columns = append(columns, NameColumn{KeyColumn{side, StringIDs(), sides}, through(of)})
	}
	return append(columns, NameColumn{KeyColumn{id, t.Type, t.IDs}, vertices})
}

func (c *NameColumn) Row(vertex int) int {
	if c.Of == nil {
		return vertex
	}
	return int(c.Of[vertex])
}

func (c *NameColumn) AppendText(text []byte, vertex int) []byte {
	return c.Type.AppendFormat(text, c.Keys, c.Row(vertex))
}
