package building

import (
	"context"
	"slices"

	"bcstage/internal/csr"
)

// EdgeRows are the given rows of edges, in their order, with the edge of each in the graph: for scores of edges by row.
// A row without an edge is a loop, or is longer than another between the same vertices, whose length the edge has.
type EdgeRows struct {
	Ends [2][]uint32 // by row: the vertices, as given
	Edge []uint32    // by row: the number of its edge in EdgeList; NoEdge: none
	Back []uint32    // by row: the edge of the arc back, if the row runs both ways and others run one way; nil: no row does
}

// NoEdge stands for the edge of a row without one.
const NoEdge uint32 = csr.None

// rows finds the edges of rows. The first chunks are the rows, the rest are the arcs back of some of them. longer
// marks, by bit, the rows and arcs whose length differs from their edge's.
func (l *EdgeList) rows(ctx context.Context, chunks []pairs, m *mixed, longer []uint64, threads int) (*EdgeRows, error) {
	total := edgesIn(chunks)
	given := total - len(m.row)
	r := &EdgeRows{Edge: make([]uint32, given)}
	for end := range r.Ends {
		r.Ends[end] = make([]uint32, 0, given)
	}
	back := make([]uint32, len(m.row))
	err := eachRow(ctx, l.Graph, chunks, threads, func(row int, u, v uint32, arc int64) error {
		edge := NoEdge
		if arc >= 0 && !marked(longer, row) {
			edge = l.Of[arc]
		}
		if row < given {
			r.Edge[row] = edge
			r.Ends[0], r.Ends[1] = append(r.Ends[0], u), append(r.Ends[1], v)
		} else {
			back[row-given] = edge
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, row := range m.reversed {
		r.Ends[0][row], r.Ends[1][row] = r.Ends[1][row], r.Ends[0][row]
	}
	if len(back) > 0 {
		r.Back = slices.Repeat([]uint32{NoEdge}, given)
		for i, row := range m.row {
			r.Back[row] = back[i]
		}
	}
	return r, nil
}

// findLonger marks the rows that are longer than their edge, whose length is the smallest of all its rows.
func (w *weighing) findLonger() error {
	rows := edgesIn(w.edges)
	w.longer = make([]uint64, (rows+63)/64)
	return w.each(func(row int, arc int64, of Weights, i int) error {
		if w.length(of, i) > w.graph.Lengths[arc] {
			w.longer[row/64] |= 1 << (row % 64)
		}
		return nil
	})
}
