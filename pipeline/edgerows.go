package pipeline

import (
	"bcstage/arrowio/tables"
	"bcstage/internal/building"
)

// edgeRows holds the rows in which edges were given, with their columns of Options.Input.Files.EdgeKeep. The table of
// the edges' scores then has these rows, in their order.
type edgeRows struct {
	kept  kept
	edges *building.EdgeRows
}

// byRow reports whether the table of the edges' scores has a row for each row that was read.
func (o *Options) byRow() bool {
	return o.Edges != nil && (len(o.Files.EdgeKeep) > 0 || o.Question.KeepsRepeats())
}

// held is the memory of the rows after more have been added, while they are written.
func (e *edgeRows) held(more []tables.KeptValues) int64 {
	bytes := e.kept.heldWith(e.kept.rows, more)
	if e.edges != nil {
		const ends, edge, column = 2 * 4, 2 * 4, 8
		bytes += (ends + edge + column) * int64(e.kept.rows)
	}
	return bytes
}

// table replaces the edges of a table of scores by the rows. A row has the score of its edge, the sum of both arcs
// where it runs both ways, and 0 where it is a loop or longer than a parallel row.
// With keep, the copies of an edge share its score equally.
func (e *edgeRows) table(t *tables.Table, keep bool) {
	for i, column := range t.Columns {
		scores := column.Values.(tables.Floats)
		if keep {
			scores = e.shares(scores)
		}
		byRow := make(tables.Floats, len(e.edges.Edge))
		for _, edges := range [][]uint32{e.edges.Edge, e.edges.Back} {
			for row, edge := range edges {
				if edge != building.NoEdge {
					byRow[row] += scores[edge]
				}
			}
		}
		t.Columns[i].Values = byRow
	}
	t.Pairs = &tables.Pairs{Names: t.Pairs.Names, Ends: e.edges.Ends}
	t.Kept, t.Geo = e.kept.columns(), e.kept.geo
}

// shares are the scores of one copy of each edge.
func (e *edgeRows) shares(scores tables.Floats) tables.Floats {
	shares := make(tables.Floats, len(scores))
	for _, edges := range [][]uint32{e.edges.Edge, e.edges.Back} {
		for _, edge := range edges {
			if edge != building.NoEdge {
				shares[edge]++
			}
		}
	}
	for edge, copies := range shares {
		shares[edge] = scores[edge] / copies
	}
	return shares
}
