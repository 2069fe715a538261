package tables

import (
	"fmt"
	"iter"
	"path"
	"strings"

	"bcstage/arrowio/internal/ids"
)

// Partitions cuts a table by vertex along the columns of By. It yields a table for every graph that has
// rows, in first-seen order of graphs, without those columns, and the folders that name the graph, as
// "month=2024-01/tenant=7". Options.By reads their values again, as do readers of Hive's folders: bytes
// other than letters, digits and -_.~ are written as %20 and the like.
//
// A part has arrays of its own, in the order of its rows; the others are not kept.
func (t Table) Partitions() iter.Seq2[string, Table] {
	return func(yield func(string, Table) bool) {
		first := make([]int, t.Graphs()+1) // of each graph's rows
		for row := range t.Rows() {
			first[t.GraphOf(t.Vertex(row))+1]++
		}
		for g := range t.Graphs() {
			first[g+1] += first[g]
		}
		vertices, next := make([]uint32, t.Rows()), append([]int(nil), first...)
		for row := range t.Rows() {
			v := t.Vertex(row)
			g := t.GraphOf(v)
			vertices[next[g]] = uint32(v)
			next[g]++
		}
		for g := range t.Graphs() {
			if first[g] < first[g+1] && !yield(t.folder(g), t.of(vertices[first[g]:first[g+1]])) {
				return
			}
		}
	}
}

// folder names the folders of a graph.
func (t *Table) folder(graph int) string {
	var names []string
	for _, c := range t.By {
		value := escaped(c.Type.Format(c.Keys, graph))
		if value == ids.NullPartition { // a text, not a null
			value = "%5F" + value[1:]
		}
		names = append(names, escaped(c.Name)+"="+value)
	}
	return path.Join(names...)
}

// escaped encodes a text; plain in edgetable decodes it.
func escaped(text string) string {
	var name strings.Builder
	for i := range len(text) {
		switch c := text[i]; {
		case c == '-', c == '.', c == '~', '0' <= c && c <= '9', 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', c == '_':
			name.WriteByte(c)
		default:
			fmt.Fprintf(&name, "%%%02X", c)
		}
	}
	return name.String()
}

// of is the table of some vertices, all of one graph.
func (t *Table) of(vertices []uint32) Table {
	part := Table{IDs: ids.Pick(t.IDs, vertices), Type: t.Type, Geo: t.Geo, Metadata: t.Metadata}
	if t.Side != nil {
		part.Side = pick(t.Side, vertices)
	}
	for _, c := range t.Kept {
		c.KeptValues = c.KeptValues.Pick(vertices)
		part.Kept = append(part.Kept, c)
	}
	for _, c := range t.Columns {
		switch values := c.Values.(type) {
		case Floats:
			c.Values = Floats(pick(values, vertices))
		case Ints:
			c.Values = Ints(pick(values, vertices))
		case Bools:
			c.Values = Bools(pick(values, vertices))
		}
		part.Columns = append(part.Columns, c)
	}
	return part
}

func pick[T any](values []T, vertices []uint32) []T {
	some := make([]T, len(vertices))
	for i, v := range vertices {
		some[i] = values[v]
	}
	return some
}
