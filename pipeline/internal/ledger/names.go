package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash"
	"slices"

	"bcstage/arrowio/tables"
)

// Names tell the vertices of a run apart: by id, and where there are several graphs or two sides,
// by these too.
type Names struct {
	IDs   tables.Keys
	Type  tables.IDType
	By    []tables.KeyColumn // a row per graph
	Graph []uint32           // by vertex; nil: there is one graph
	Side  []uint8            // by vertex; nil: not bipartite

	// Ends are the columns of the edges' ends, as the run named them; empty if they
	// were found by their usual names. They say where names come from, and two
	// partials may differ in them.
	Ends [2]string
	// Rounding is the error of rounded lengths; like Ends it may differ.
	Rounding string
	// One is the value of 1 in the sums of distances, in the column of lengths: a fraction; ""
	// where distances count edges. Two parts can be added only if theirs are equal.
	One string
	// Demand is the statistics of masses or trips as JSON; "" where there are none. They are of the whole input, so two parts
	// can be added only if theirs are equal.
	Demand string
}

// oneKey is the metadata key of One.
const oneKey = "weight_one"

// roundingKey is the metadata key of Rounding.
const roundingKey = "weight_rounding"

// demandKey is the metadata key of Demand. Only partial results have it.
const demandKey = "demand"

// NamesIn returns the names of a table.
func NamesIn(t *tables.Table) Names {
	return Names{
		IDs: t.IDs, Type: t.Type, By: t.By, Graph: t.Graph, Side: t.Side,
		Ends:     [2]string{t.Metadata.Value(tables.SrcKey), t.Metadata.Value(tables.DstKey)},
		Rounding: t.Metadata.Value(roundingKey), One: t.Metadata.Value(oneKey), Demand: t.Metadata.Value(demandKey),
	}
}

// Table returns a table with the names and no other column.
func (n *Names) Table() tables.Table {
	return tables.Table{IDs: n.IDs, Type: n.Type, By: n.By, Graph: n.Graph, Side: n.Side}
}

func (n *Names) equal(other *Names) bool {
	sameColumn := func(a, b tables.KeyColumn) bool { return a.Name == b.Name && sameIDs(a.Keys, b.Keys) }
	return sameIDs(n.IDs, other.IDs) && slices.EqualFunc(n.By, other.By, sameColumn) &&
		slices.Equal(n.Graph, other.Graph) && bytes.Equal(n.Side, other.Side)
}

// hashTo hashes the names without the ids; nothing for one graph.
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

// Metadata returns the metadata that describes the names.
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
