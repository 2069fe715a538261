package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash"
	"slices"

	"bcstage/arrowio/tables"
)

// Names are what tells the vertices of a run apart: ids and, where there are
// several graphs or two sides, these.
type Names struct {
	IDs   tables.Keys
	Type  tables.IDType
	By    []tables.KeyColumn // a row per graph
	Graph []uint32           // by vertex; nil: there is one graph
	Side  []uint8            // by vertex; nil: not bipartite

	// Ends are the columns of the edges' ends, as the run was told; empty if they
	// were found by their usual names. They say where names are from, and two
	// partials may differ in them.
	Ends [2]string
	// Rounding says how far lengths are from what was read, if they are rounded; it
	// has no more meaning than Ends.
	Rounding string
	// One is what 1 in the sums of distances stands for, in the column of lengths: a
	// fraction; "" where they are numbers of edges. Sums of two parts can be added only if
	// they are of the same.
	One string
}

// oneKey is the entry of metadata that One is.
const oneKey = "weight_one"

// roundingKey is the entry of metadata that Rounding is.
const roundingKey = "weight_rounding"

// NamesIn are those of a table.
func NamesIn(t *tables.Table) Names {
	n := Names{IDs: t.IDs, Type: t.Type, By: t.By, Graph: t.Graph, Side: t.Side}
	for _, entry := range t.Metadata {
		switch entry.Key {
		case tables.SrcKey:
			n.Ends[0] = entry.Value
		case tables.DstKey:
			n.Ends[1] = entry.Value
		case roundingKey:
			n.Rounding = entry.Value
		case oneKey:
			n.One = entry.Value
		}
	}
	return n
}

// Table has the names and no column beside them.
func (n *Names) Table() tables.Table {
	return tables.Table{IDs: n.IDs, Type: n.Type, By: n.By, Graph: n.Graph, Side: n.Side}
}

func (n *Names) equal(other *Names) bool {
	sameColumn := func(a, b tables.KeyColumn) bool { return a.Name == b.Name && sameIDs(a.Keys, b.Keys) }
	return sameIDs(n.IDs, other.IDs) && slices.EqualFunc(n.By, other.By, sameColumn) &&
		slices.Equal(n.Graph, other.Graph) && bytes.Equal(n.Side, other.Side)
}

// hashTo hashes what stands beside the ids, nothing if there is nothing.
func (n *Names) hashTo(h hash.Hash) {
	for _, column := range n.By {
		fmt.Fprintf(h, "by %q %d %d %d\n", column.Name, len(column.Keys.Ints), len(column.Keys.Offsets), len(column.Keys.Bytes))
		hashNumbers(h, column.Keys.Ints)
		hashNumbers(h, column.Keys.Offsets)
		h.Write(column.Keys.Bytes)
	}
	if len(n.By) > 0 {
		fmt.Fprintf(h, "graphs %d\n", len(n.Graph))
		hashNumbers(h, n.Graph)
	}
	if n.Side != nil {
		fmt.Fprintf(h, "sides %d\n", len(n.Side))
		h.Write(n.Side)
	}
}

// Metadata says what a reader of a table must know of the names.
func (n *Names) Metadata() (list []tables.KeyValue) {
	if len(n.By) > 0 {
		var columns []string
		for _, column := range n.By {
			columns = append(columns, column.Name)
		}
		text, err := json.Marshal(columns)
		if err != nil {
			panic(err) // strings have a JSON form
		}
		list = append(list, tables.KeyValue{Key: "by", Value: string(text)})
	}
	if n.Side != nil {
		list = append(list, tables.KeyValue{Key: tables.BipartiteKey, Value: "true"})
	}
	if n.Ends != [2]string{} {
		list = append(list, tables.KeyValue{Key: tables.SrcKey, Value: n.Ends[0]}, tables.KeyValue{Key: tables.DstKey, Value: n.Ends[1]})
	}
	if n.Rounding != "" {
		list = append(list, tables.KeyValue{Key: roundingKey, Value: n.Rounding})
	}
	if n.One != "" {
		list = append(list, tables.KeyValue{Key: oneKey, Value: n.One})
	}
	return list
}

func sameIDs(a, b tables.Keys) bool {
	return slices.Equal(a.Ints, b.Ints) && slices.Equal(a.Offsets, b.Offsets) && bytes.Equal(a.Bytes, b.Bytes)
}
