package arrowio

import (
	"bytes"
	"reflect"
	"testing"

	"bcstage/arrowio/internal/edgetable"
	"bcstage/arrowio/internal/ids"
	"bcstage/arrowio/tables"
)

func text(values ...string) (k tables.Keys) {
	k.Offsets = []int64{0}
	for _, value := range values {
		k.Bytes = append(k.Bytes, value...)
		k.Offsets = append(k.Offsets, int64(len(k.Bytes)))
	}
	return k
}

// Each part has the rows of its graph, in their order, and nothing of the others.
func TestPartitions(t *testing.T) {
	table := tables.Table{
		IDs:   text("a", "b", "a", "c", "b"),
		Type:  tables.StringIDs(),
		By:    []tables.KeyColumn{{Name: "at", Type: tables.StringIDs(), Keys: text("x/é %", "..", ids.NullPartition)}, {Name: "no", Type: tables.Int64IDs(), Keys: tables.Keys{Ints: []uint64{1, ^uint64(1), 3}}}},
		Graph: []uint32{1, 0, 0, 1, 1},
		Side:  []uint8{0, 1, 0, 1, 0},
		Kept: []tables.KeptColumn{ // with fewer rows than vertices: the others are null
			{Name: "note", Type: tables.StringIDs(), KeptValues: tables.KeptValues{Keys: text("A", "B", "-", "C"), Null: []bool{false, false, true, false}}},
			{Name: "none", Type: tables.Int64IDs(), KeptValues: tables.KeptValues{}},
		},
		Columns: []tables.Column{{Name: "score", Values: tables.Floats{1, 2, 3, 4, 5}}, {Name: "rank", Values: tables.Ints{5, 4, 3, 2, 1}}, {Name: "in", Values: tables.Bools{true, false, true, false, false}}},
	}
	written := func(table tables.Table) map[string]string {
		found := make(map[string]string)
		for folder, part := range table.Partitions() {
			var csv bytes.Buffer
			if err := Write(t.Context(), &csv, tables.FormatCSV, part); err != nil {
				t.Fatal(err)
			}
			found[folder] = csv.String()
		}
		return found
	}
	const header = "side,vertex,note,none,score,rank,in\n"
	first, second := "at=x%2F%C3%A9%20%25/no=1", "at=../no=-2"
	want := map[string]string{ // the third has no rows, and so no table
		first:  header + "dst,b,B,,2,4,false\nsrc,a,,,3,3,true\n",
		second: header + "src,a,A,,1,5,true\ndst,c,C,,4,2,false\nsrc,b,,,5,1,false\n",
	}
	if got := written(table); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	table.Order = []uint32{4, 2, 0}
	want = map[string]string{first: header + "src,a,,,3,3,true\n", second: header + "src,b,,,5,1,false\nsrc,a,A,,1,5,true\n"}
	if got := written(table); !reflect.DeepEqual(got, want) {
		t.Errorf("in an order: got %q\nwant %q", got, want)
	}
	// A spelling that readers take for a null is a text here.
	table.Graph = []uint32{2, 2, 2, 2, 2}
	for folder := range table.Partitions() {
		if value, null, ok := edgetable.Partition(folder+"/part-0.csv", "at"); folder != "at=%5F_HIVE_DEFAULT_PARTITION__/no=3" || value != ids.NullPartition || null || !ok {
			t.Errorf("a null: %s", folder)
		}
	}
	table.Graph = []uint32{0, 0, 1, 1, 1}
	graph := 0
	for folder := range table.Partitions() { // every name can be read again
		for _, column := range table.By {
			value := column.Type.Format(column.Keys, graph)
			if got, _, ok := edgetable.Partition(folder+"/part-0.csv", column.Name); !ok || got != value {
				t.Errorf("%s: %q, want %q", folder, got, value)
			}
		}
		graph++
	}
	if graph != 2 {
		t.Errorf("%d folders", graph)
	}
}
