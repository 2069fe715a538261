package arrowio

import (
	"math"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"

	"github.com/apache/arrow/go/v17/arrow"
)

// nameColumn is one of the columns that together name a vertex, for writing.
type nameColumn struct{ tables.NameColumn }

// nameColumns lists those of a table.
func nameColumns(t *tables.Table) (columns []nameColumn) {
	for _, c := range t.NameColumns() {
		columns = append(columns, nameColumn{c})
	}
	return columns
}

// allNames lists the names of all columns.
func allNames(t *tables.Table) (names []string) {
	for _, c := range t.NameColumns() {
		names = append(names, c.Name)
	}
	for _, c := range t.Kept {
		names = append(names, c.Name)
	}
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}

// appendQuoted appends integers as they are, and everything else through quote; it
// overwrites scratch.
func (c *nameColumn) appendQuoted(text []byte, scratch *[]byte, vertex int, quote func(text, id []byte) []byte) []byte {
	if c.Type.IsInteger() {
		return c.AppendText(text, vertex)
	}
	*scratch = c.AppendText((*scratch)[:0], vertex)
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

// checkNames refuses names that no format can hold.
func checkNames(t *tables.Table) error {
	n := t.IDs.Len()
	switch {
	case len(t.By) > 0 && len(t.Graph) != n:
		return faults.Usage("graphs of %d vertices; want %d", len(t.Graph), n)
	case t.Side != nil && len(t.Side) != n:
		return faults.Usage("sides of %d vertices; want %d", len(t.Side), n)
	}
	for _, side := range t.Side {
		if side > 1 {
			return faults.Usage("side %d; want 0 or 1", side)
		}
	}
	for _, graph := range t.Graph {
		if int(graph) >= t.Graphs() {
			return faults.Usage("graph %d; there are %d", graph, t.Graphs())
		}
	}
	if p := t.Pairs; p != nil {
		if len(p.Ends[0]) != len(p.Ends[1]) || t.Order != nil {
			return faults.Usage("%d and %d ends of pairs; want equally many, and no Order", len(p.Ends[0]), len(p.Ends[1]))
		}
		for _, ends := range p.Ends {
			for _, vertex := range ends {
				if int(vertex) >= n {
					return faults.Usage("vertex %d in a pair; there are %d", vertex, n)
				}
			}
		}
	}
	for _, c := range t.NameColumns() {
		if c.Keys.Len() > 0 && c.Type.IsInteger() != (c.Keys.Offsets == nil) {
			return faults.Usage("ids of type %s in the wrong form of Keys", c.Type)
		}
	}
	return nil
}
