package arrowio

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/internal/keeping"
	"bcstage/arrowio/tables"
)

// Geometries in text are well-known text (WKT, OGC 06-103r4, 7 and 8), which GIS programs and databases
// read. Columns hold well-known binary, ISO's or PostGIS's with flags.

// wktKinds lists the geometries by their code.
var wktKinds = [...]string{1: "POINT", 2: "LINESTRING", 3: "POLYGON", 4: "MULTIPOINT", 5: "MULTILINESTRING", 6: "MULTIPOLYGON", 7: "GEOMETRYCOLLECTION"}

// wkbDepth is how deep collections may be nested.
const wkbDepth = 32

var errWKB = errors.New("not well-known binary")

// wkb is a reader of a geometry; it stops at the first error.
type wkb struct {
	data  []byte
	order binary.ByteOrder
	size  int // coordinates of a position
	bad   bool
}

func (g *wkb) take(n int) []byte {
	if len(g.data) < n {
		g.bad, g.data = true, nil
		return make([]byte, n)
	}
	taken := g.data[:n]
	g.data = g.data[n:]
	return taken
}

func (g *wkb) count() int { return int(g.order.Uint32(g.take(4))) }

// appendWKT appends a geometry as text.
func appendWKT(text, data []byte) ([]byte, error) {
	g := wkb{data: data}
	text = g.geometry(text, true, wkbDepth)
	if g.bad || len(g.data) > 0 {
		return nil, errWKB
	}
	return text, nil
}

// geometry appends a geometry; named: with its kind, which members of a MULTI lack.
func (g *wkb) geometry(text []byte, named bool, depth int) []byte {
	g.order = binary.BigEndian
	if g.take(1)[0] == 1 {
		g.order = binary.LittleEndian
	}
	code := g.order.Uint32(g.take(4))
	if code&0x20000000 != 0 { // a reference system, which the column also has
		g.take(4)
	}
	kind, axes := code&0x0fffffff%1000, code&0x0fffffff/1000
	z, m := code&0x80000000 != 0 || axes&1 != 0, code&0x40000000 != 0 || axes&2 != 0
	if kind < 1 || kind > 7 || axes > 3 || depth == 0 || g.bad {
		g.bad = true
		return text
	}
	g.size = 2
	suffix := " "
	if z {
		g.size, suffix = g.size+1, suffix+"Z"
	}
	if m {
		g.size, suffix = g.size+1, suffix+"M"
	}
	if named {
		text = append(append(text, wktKinds[kind]...), suffix...)
		if z || m {
			text = append(text, ' ')
		}
	}
	switch kind {
	case 1:
		return g.point(text)
	case 2:
		return g.list(text, g.position)
	case 3:
		return g.list(text, func(text []byte) []byte { return g.list(text, g.position) })
	}
	return g.list(text, func(text []byte) []byte { return g.geometry(text, kind == 7, depth-1) })
}

// list appends as many members as a count says.
func (g *wkb) list(text []byte, one func([]byte) []byte) []byte {
	n := g.count()
	if n == 0 {
		return append(text, "EMPTY"...)
	}
	text = append(text, '(')
	for i := 0; i < n && !g.bad; i++ {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = one(text)
	}
	return append(text, ')')
}

// point appends the position of a point, which is empty if all of its numbers are NaN.
func (g *wkb) point(text []byte) []byte {
	ahead, empty := *g, true
	for range g.size {
		empty = math.IsNaN(ahead.number()) && empty
	}
	if empty && !ahead.bad {
		g.data = ahead.data
		return append(text, "EMPTY"...)
	}
	return append(g.position(append(text, '(')), ')')
}

func (g *wkb) number() float64 { return math.Float64frombits(g.order.Uint64(g.take(8))) }

func (g *wkb) position(text []byte) []byte {
	for i := range g.size {
		x := g.number()
		g.bad = g.bad || math.IsNaN(x) || math.IsInf(x, 0)
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendFloat(text, x, 'f', -1, 64)
	}
	return text
}

// inText is the table with its geometries as text.
func inText(t *tables.Table) (*tables.Table, error) {
	shown := *t
	for i, c := range t.Kept {
		if t.Geo[c.Name] == nil || c.Keys.Offsets == nil {
			continue
		}
		text, v, err := asText(c)
		if err != nil {
			return nil, faults.Usage("column %q: the value of vertex %s is %v", c.Name, t.Type.Format(t.IDs, v), err)
		}
		if &shown.Kept[0] == &t.Kept[0] {
			shown.Kept = slices.Clone(t.Kept)
		}
		shown.Kept[i] = text
	}
	return &shown, nil
}

// asText is the column with its geometries as text. After an error, row is the row with an invalid value.
func asText(c tables.KeptColumn) (text tables.KeptColumn, row int, err error) {
	keys := tables.Keys{Offsets: make([]int64, 1, c.Keys.Len()+1)}
	for row := range c.Keys.Len() {
		if len(c.Null) == 0 || !c.Null[row] {
			if keys.Bytes, err = appendWKT(keys.Bytes, ids.Text(c.Keys, row)); err != nil {
				return c, row, err
			}
		}
		keys.Offsets = append(keys.Offsets, int64(len(keys.Bytes)))
	}
	c.Keys, c.Type = keys, idtypes.Of(arrow.BinaryTypes.LargeString)
	return c, 0, nil
}

// KeptText formats the kept columns as text does: format appends the value of a vertex, nothing for a
// null. Columns of bytes are well-known text if all of their values are well-known binary, whatever Geo
// says.
func KeptText(t *tables.Table) (names []string, format func(text []byte, column, vertex int) []byte) {
	shown := *t
	shown.Kept = slices.Clone(t.Kept)
	for i, c := range t.Kept {
		names = append(names, c.Name)
		if typ := keeping.Storage(idtypes.Arrow(c.Type)).ID(); typ == arrow.BINARY || typ == arrow.LARGE_BINARY {
			if text, _, err := asText(c); err == nil {
				shown.Kept[i] = text
			}
		}
	}
	columns, scratch := keptColumns(&shown), []byte(nil)
	bare := func(text, value []byte) []byte { return append(text, value...) }
	return names, func(text []byte, column, vertex int) []byte {
		return columns[column].appendValue(text, &scratch, vertex, "", bare)
	}
}
