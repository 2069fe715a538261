package arrowio

import (
	"math"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/idtypes"

	"github.com/apache/arrow/go/v17/arrow"
)

// KeyColumn is a named column of keys.
type KeyColumn struct {
	Name string
	Type IDType
	Keys Keys
}

// Graphs is how many graphs the vertices are of.
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

// nameColumn is one of the columns that together name a vertex, as it is
// written: what names its graph, its side, its id.
type nameColumn struct {
	KeyColumn
	of []uint32 // by vertex, or row of a table by pair: its row in Keys; nil: the vertex
}

// Names are the columns that together name a vertex, in the order of the output,
// each with a function that appends its value of a vertex as text.
func (t *Table) Names() (names []string, format func(text []byte, column, vertex int) []byte) {
	columns := t.names()
	for i := range columns {
		names = append(names, columns[i].Name)
	}
	return names, func(text []byte, column, vertex int) []byte { return columns[column].appendText(text, vertex) }
}

func (t *Table) names() (columns []nameColumn) {
	if t.Pairs == nil {
		return t.namesOf(nil, SideColumn, VertexColumn)
	}
	for i, name := range t.Pairs.Names {
		of := t.namesOf(t.Pairs.Ends[i], name+"_"+SideColumn, name)
		if i > 0 {
			of = of[len(t.By):] // the graph is that of the other end
		}
		columns = append(columns, of...)
	}
	return columns
}

// namesOf are the columns that name vertices; nil: all of them.
func (t *Table) namesOf(vertices []uint32, side, id string) (columns []nameColumn) {
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
		columns = append(columns, nameColumn{c, through(t.Graph)})
	}
	if t.Side != nil {
		of := make([]uint32, len(t.Side))
		for v, side := range t.Side {
			of[v] = uint32(side)
		}
		sides := Keys{Bytes: []byte(SideSrc + SideDst), Offsets: []int64{0, int64(len(SideSrc)), int64(len(SideSrc + SideDst))}}
		columns = append(columns, nameColumn{KeyColumn{side, StringIDs(), sides}, through(of)})
	}
	return append(columns, nameColumn{KeyColumn{id, t.Type, t.IDs}, vertices})
}

func (c *nameColumn) row(vertex int) int {
	if c.of == nil {
		return vertex
	}
	return int(c.of[vertex])
}

func (c *nameColumn) appendText(text []byte, vertex int) []byte {
	return c.Type.AppendFormat(text, c.Keys, c.row(vertex))
}

// appendQuoted leaves what is no number to quote; scratch is overwritten.
func (c *nameColumn) appendQuoted(text []byte, scratch *[]byte, vertex int, quote func(text, id []byte) []byte) []byte {
	if c.Type.IsInteger() {
		return c.appendText(text, vertex)
	}
	*scratch = c.appendText((*scratch)[:0], vertex)
	return quote(text, *scratch)
}

// outputType is the input's type, widened where a dictionary needs it.
func (c *nameColumn) outputType() arrow.DataType {
	index, value := idtypes.Parts(idtypes.Arrow(c.Type))
	if index == nil {
		return value
	}
	values, bits := c.Keys.Len(), idtypes.BitWidth(index)
	signed := arrow.IsSignedInteger(index.ID())
	for ; bits < 64; bits *= 2 {
		most := 1 << bits
		if signed {
			most /= 2
		}
		if values <= most {
			break
		}
	}
	index = idtypes.Integer(bits, signed)
	if len(c.Keys.Bytes) > math.MaxInt32 {
		switch value.ID() {
		case arrow.STRING, arrow.STRING_VIEW:
			value = arrow.BinaryTypes.LargeString
		case arrow.BINARY, arrow.BINARY_VIEW:
			value = arrow.BinaryTypes.LargeBinary
		}
	}
	return &arrow.DictionaryType{IndexType: index, ValueType: value}
}

// checkNames refuses what no format can hold.
func (t *Table) checkNames() error {
	n := t.IDs.Len()
	switch {
	case len(t.By) > 0 && len(t.Graph) != n:
		return faults.Usage("%d vertices have a graph, of %d", len(t.Graph), n)
	case t.Side != nil && len(t.Side) != n:
		return faults.Usage("%d vertices have a side, of %d", len(t.Side), n)
	}
	for _, side := range t.Side {
		if side > 1 {
			return faults.Usage("side %d; want 0 or 1", side)
		}
	}
	for _, graph := range t.Graph {
		if int(graph) >= t.Graphs() {
			return faults.Usage("graph %d of %d", graph, t.Graphs())
		}
	}
	if p := t.Pairs; p != nil {
		if len(p.Ends[0]) != len(p.Ends[1]) || t.Order != nil {
			return faults.Usage("pairs of %d and %d vertices, in the order that they have", len(p.Ends[0]), len(p.Ends[1]))
		}
		for _, ends := range p.Ends {
			for _, vertex := range ends {
				if int(vertex) >= n {
					return faults.Usage("vertex %d in a pair of %d vertices", vertex, n)
				}
			}
		}
	}
	names := t.names()
	for i := range names {
		c := &names[i]
		if c.Keys.Len() > 0 && c.Type.IsInteger() != (c.Keys.Offsets == nil) {
			return faults.Usage("ids of type %s in the wrong form of Keys", c.Type)
		}
		for j := range i {
			if names[j].Name == c.Name {
				return faults.Usage("column %q twice", c.Name)
			}
		}
	}
	return nil
}
