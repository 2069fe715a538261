package arrowio

import (
	"encoding/binary"
	"slices"

	"github.com/apache/arrow/go/v17/arrow"

	"bcstage/arrowio/internal/columnar"
	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/faults"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/internal/idtypes"
	"bcstage/arrowio/tables"
)

// readGroup is a column before the ids in a table that is read back: its distinct
// values in first-seen order, and the value of each row.
type readGroup struct {
	tables.KeyColumn
	position int // in the schema
	of       []uint32
	known    map[string]uint32
	ids      columnar.Promoter
	column   ids.Column
}

func newReadGroup(name string, position int, typ arrow.DataType) (*readGroup, error) {
	var types idtypes.Merged
	if err := types.Add("", typ); err != nil {
		return nil, faults.Rejected("column %q of type %s has no place in a table of vertices", name, typ)
	}
	g := &readGroup{KeyColumn: tables.KeyColumn{Name: name, Type: types.Result()}, position: position, known: make(map[string]uint32)}
	if !g.Type.IsInteger() {
		g.Keys.Offsets = []int64{0}
	}
	return g, nil
}

// group says whether one of these columns has the name.
func (r *tableReader) group(name string) bool {
	return slices.ContainsFunc(r.groups, func(g *readGroup) bool { return g.Name == name })
}

func (g *readGroup) take(column arrow.Array) error {
	for first := 0; first < column.Len(); first += columnar.BatchRows {
		if err := g.ids.Promote(&g.column, column, first, min(columnar.BatchRows, column.Len()-first)); err != nil {
			return err
		}
		if slices.Contains(g.column.Null, true) {
			return faults.Rejected("a null")
		}
		g.add(g.column.Keys())
	}
	return nil
}

func (g *readGroup) add(values tables.Keys) {
	var word [8]byte
	for row := range values.Len() {
		value := word[:]
		if values.Offsets != nil {
			value = ids.Text(values, row)
		} else {
			binary.LittleEndian.PutUint64(value, values.Ints[row])
		}
		number, known := g.known[string(value)]
		if !known {
			number = uint32(g.Keys.Len())
			g.known[string(value)] = number
			if values.Offsets != nil {
				ids.Append(&g.Keys, tables.Keys{Bytes: value, Offsets: []int64{0, int64(len(value))}})
			} else {
				g.Keys.Ints = append(g.Keys.Ints, values.Ints[row])
			}
		}
		g.of = append(g.of, number)
	}
}

// joinGroups makes graphs from the columns that name them: one for each combination
// of values that occurs.
func joinGroups(t *tables.Table, groups []*readGroup) error {
	bipartite := slices.Contains(t.Metadata, tables.KeyValue{Key: tables.BipartiteKey, Value: "true"})
	if last := len(groups) - 1; bipartite && last >= 0 && groups[last].Name == tables.SideColumn && !groups[last].Type.IsInteger() {
		sides, err := edgetable.SidesOf(groups[last].Keys)
		if err != nil {
			return err
		}
		t.Side = make([]uint8, len(groups[last].of))
		for v, value := range groups[last].of {
			t.Side[v] = sides[value]
		}
		groups = groups[:last]
	}
	if len(groups) == 0 {
		return nil
	}
	t.Graph = groups[0].of
	var picked [][]uint32 // by column: its value in each graph
	if len(groups) > 1 {
		picked = make([][]uint32, len(groups))
		known := make(map[string]uint32)
		t.Graph = make([]uint32, len(groups[0].of))
		var name []byte
		for v := range t.Graph {
			name = name[:0]
			for _, g := range groups {
				name = binary.LittleEndian.AppendUint32(name, g.of[v])
			}
			number, ok := known[string(name)]
			if !ok {
				number = uint32(len(known))
				known[string(name)] = number
				for i, g := range groups {
					picked[i] = append(picked[i], g.of[v])
				}
			}
			t.Graph[v] = number
		}
	}
	for i, g := range groups {
		if picked != nil {
			all := g.Keys
			g.Keys = tables.Keys{}
			if all.Offsets != nil {
				g.Keys.Offsets = []int64{0}
			}
			for _, row := range picked[i] {
				ids.Append(&g.Keys, ids.Slice(all, int(row), int(row)+1))
			}
		}
		t.By = append(t.By, g.KeyColumn)
	}
	return nil
}
