package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bcstage/arrowio/tables"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
)

// Columns of the rows of edges: the rows of their ends; -1 in the rows of vertices.
const (
	edgeSrc = "edge_src"
	edgeDst = "edge_dst"
)

// layEdges appends the edges, if there are any, after the vertices. The row of an edge has the id
// of its first end, and the rows of both ends. Sums of edges stand in columns of their own, with 0
// in the rows of vertices; columns of vertices have 0 in the rows of edges.
func (p *Partial) layEdges(table *tables.Table) {
	if !slices.ContainsFunc(p.columns, func(c column) bool { return c.Per == measures.PerEdge }) {
		return
	}
	n, m := p.Identity.Vertices, len(p.ends[0])
	for i, c := range table.Columns {
		table.Columns[i].Values = append(slices.Clone(c.Values.(tables.Ints)), make(tables.Ints, m)...)
	}
	for i := range p.columns {
		if p.columns[i].Per != measures.PerEdge {
			continue
		}
		for _, c := range p.columns[i].lay() {
			table.Columns = append(table.Columns, tables.Column{Name: c.Name, Values: append(make(tables.Ints, n), c.Values.(tables.Ints)...)})
		}
	}
	for end, name := range []string{edgeSrc, edgeDst} {
		rows := slices.Repeat(tables.Ints{-1}, n+m)
		for i, v := range p.ends[end] {
			rows[n+i] = int64(v)
		}
		table.Columns = append(table.Columns, tables.Column{Name: name, Values: rows})
	}
	table.IDs = withRows(table.IDs, p.ends[0])
	table.Graph = append(slices.Clone(table.Graph), csr.Pick(table.Graph, p.ends[0])...)
	table.Side = append(slices.Clone(table.Side), csr.Pick(table.Side, p.ends[0])...)
}

// withRows returns a column of keys with more rows, which repeat the given rows.
func withRows(k tables.Keys, rows []uint32) tables.Keys {
	if k.Offsets == nil {
		k.Ints = slices.Clone(k.Ints)
		for _, row := range rows {
			k.Ints = append(k.Ints, k.Ints[row])
		}
		return k
	}
	k.Bytes, k.Offsets = slices.Clone(k.Bytes), slices.Clone(k.Offsets)
	for _, row := range rows {
		k.Bytes = append(k.Bytes, k.Bytes[k.Offsets[row]:k.Offsets[row+1]]...)
		k.Offsets = append(k.Offsets, int64(len(k.Bytes)))
	}
	return k
}

// cutEdges removes the rows of edges, whose number is in the metadata, from a table, and returns
// their columns.
func cutEdges(table *tables.Table, fields map[string]string) (*tables.Table, error) {
	n, err := strconv.Atoi(fields["n"])
	m, err2 := strconv.Atoi(fields["m"])
	if rows := table.IDs.Len(); errors.Join(err, err2) != nil || n < 0 || m < 0 || n+m != rows {
		return nil, fmt.Errorf("%d rows for %q vertices and %q edges", rows, fields["n"], fields["m"])
	}
	edges := &tables.Table{}
	columns := slices.Clone(table.Columns)
	for i, c := range columns {
		values, whole := c.Values.(tables.Ints)
		if !whole || len(values) != n+m {
			return nil, fmt.Errorf("column %q: want %d integers", c.Name, n+m)
		}
		edges.Columns = append(edges.Columns, tables.Column{Name: c.Name, Values: values[n:]})
		columns[i].Values = values[:n:n]
	}
	table.Columns = columns
	if table.IDs.Offsets == nil {
		table.IDs.Ints = table.IDs.Ints[:n:n]
	} else {
		table.IDs.Bytes = table.IDs.Bytes[:table.IDs.Offsets[n]]
		table.IDs.Offsets = table.IDs.Offsets[: n+1 : n+1]
	}
	if table.Graph != nil {
		table.Graph = table.Graph[:n:n]
	}
	if table.Side != nil {
		table.Side = table.Side[:n:n]
	}
	return edges, nil
}

// fillEnds reads the ends of edges between n vertices.
func fillEnds(edges *tables.Table, n int) (ends [2][]uint32, err error) {
	if edges == nil {
		return ends, nil
	}
	for end, name := range []string{edgeSrc, edgeDst} {
		for row, v := range edges.Ints(name) {
			if v < 0 || v >= int64(n) {
				return ends, fmt.Errorf("column %q: vertex %d of %d, of edge %d", name, v, n, row)
			}
			ends[end] = append(ends[end], uint32(v))
		}
	}
	if len(ends[0]) != len(ends[1]) || len(edges.Columns) > 0 && len(ends[0]) != edges.Columns[0].Values.Len() {
		return ends, fmt.Errorf("no columns %q and %q for all edges", edgeSrc, edgeDst)
	}
	return ends, nil
}

// EdgeEnds returns the ends, by vertex, of the edges whose scores Sums has under
// measures.EdgeBetweenness; none: they were not asked for.
func (p *Partial) EdgeEnds() [2][]uint32 { return p.ends }
