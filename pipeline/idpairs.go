package pipeline

import (
	"context"
	"fmt"
	"slices"

	"bcstage/arrowio/tables"
	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/pipeline/internal/ledger"
)

// idPairs are rows with two ids each: trips, changes, edges that are removed. An id of which a row has one alone is there twice.
type idPairs struct {
	ids  *VertexSet
	rows [][2]uint32  // numbers of both ids
	by   []graphNames // columns that name the graph of a row
}

// graphNames is a column that names the graph of each row.
type graphNames struct {
	column string
	ids    *VertexSet
	rows   []uint32 // numbers of the names
}

// newIDPairs returns a table without rows, whose graphs have names in the given columns.
func newIDPairs(by ...string) idPairs {
	p := idPairs{ids: newVertexIDs()}
	for _, column := range by {
		p.by = append(p.by, graphNames{column: column, ids: newVertexIDs()})
	}
	return p
}

// idPairsOf returns rows of integers.
func idPairsOf[K Integer](first, second []K) idPairs {
	p := idPairs{ids: VertexSetOf(slices.Concat(first, second)...)}
	number := func(id K) uint32 { return p.ids.number(fmt.Append(nil, id)) }
	for i := range min(len(first), len(second)) {
		p.rows = append(p.rows, [2]uint32{number(first[i]), number(second[i])})
	}
	return p
}

// held is the memory after so many more rows with some ids.
func (p *idPairs) held(ids building.Keys, rows int) int64 {
	bytes := p.ids.ids.Bytes(ids) + hashing(p.ids.count()+ids.Len()) + 2*8*int64(len(p.rows)+rows)
	for _, column := range p.by {
		bytes += column.ids.ids.Bytes(ids) + hashing(column.ids.count()+ids.Len()) + 2*4*int64(len(p.rows)+rows)
	}
	return bytes
}

// add adds rows: the first ids of all, as text, and the second ones unless they are the same. hold is called before ids are
// added, with these and the number of rows.
func (p *idPairs) add(hold func(ids building.Keys, rows int) error, ends ...building.Keys) error {
	for _, ids := range ends {
		if err := hold(ids, ids.Len()); err != nil {
			return err
		}
		if err := p.ids.add(ids); err != nil {
			return err
		}
	}
	for i := range ends[0].Len() {
		var row [2]uint32
		for end := range row {
			ids := ends[min(end, len(ends)-1)]
			row[end] = p.ids.number(ids.Bytes[ids.Offsets[i]:ids.Offsets[i+1]])
		}
		p.rows = append(p.rows, row)
	}
	return nil
}

// name adds the names of the graphs of the rows that are added next: a column after the other, as text.
func (p *idPairs) name(columns []building.Keys) error {
	for c, names := range columns {
		of := &p.by[c]
		if err := of.ids.add(names); err != nil {
			return err
		}
		for i := range names.Len() {
			of.rows = append(of.rows, of.ids.number(names.Bytes[names.Offsets[i]:names.Offsets[i+1]]))
		}
	}
	return nil
}

// close computes the hash of all ids.
func (p *idPairs) close() { p.ids.close() }

// ends returns the vertices of all rows. An id that the graph of its row lacks is tables.ErrInput, with the row.
func (p *idPairs) ends(ctx context.Context, n *names) ([][2]uint32, error) {
	find, _, err := p.finder(ctx, n)
	if err != nil {
		return nil, err
	}
	list := make([][2]uint32, len(p.rows))
	for i, row := range p.rows {
		for end, id := range row {
			if list[i][end] = find(i, id); list[i][end] == csr.None {
				return nil, p.unknown(i, id)
			}
		}
	}
	return list, nil
}

// unknown is the error of an id that the graph of its row lacks.
func (p *idPairs) unknown(row int, id uint32) error {
	return fmt.Errorf("%w: row %d: %s is no vertex of the %s", tables.ErrInput, row+1, quoted(p.ids.id(int(id))), p.graph(row))
}

// finder returns a function from a row and the number of an id to the vertex, or csr.None, and the graphs of the rows; nil:
// there is one.
func (p *idPairs) finder(ctx context.Context, n *names) (find func(row int, id uint32) uint32, graphs []uint32, err error) {
	if len(p.by) == 0 {
		of, _, err := p.ids.met(ctx, n)
		return func(_ int, id uint32) uint32 { return of[id] }, nil, err
	}
	if graphs, err = p.graphs(n); err != nil {
		return nil, nil, err
	}
	of, same := numbered{}, map[int]int{}
	err = p.ids.meet(ctx, n, func(i, as int) { same[i] = as }, func(i int, v uint32) { of[[2]uint32{n.Graph[v], uint32(i)}] = v })
	return func(row int, id uint32) uint32 { return of.find(graphs[row], id, same) }, graphs, err
}

// numbered maps the number of a graph, or of its name so far, and the number of an id behind it.
type numbered map[[2]uint32]uint32

// find returns the number behind an id, or behind its other spelling, or csr.None.
func (m numbered) find(of, id uint32, same map[int]int) uint32 {
	v, found := m[[2]uint32{of, id}]
	if as, again := same[int(id)]; again && !found {
		v, found = m[[2]uint32{of, uint32(as)}]
	}
	if !found {
		return csr.None
	}
	return v
}

// graph names the graph of a row, for people.
func (p *idPairs) graph(row int) string {
	text := "graph"
	for _, of := range p.by {
		text += fmt.Sprintf(" %s=%s", of.column, quoted(of.ids.id(int(of.rows[row]))))
	}
	return text
}

// graphs returns the graph of each row, by the columns that name it, one after the other. A name that no graph has is
// tables.ErrInput, with the row.
func (p *idPairs) graphs(n *names) ([]uint32, error) {
	rows, of := make([]uint32, len(p.rows)), make([]uint32, n.By[0].Keys.Len()) // numbers of the names so far
	for c, column := range p.by {
		same, numbers := map[int]int{}, numbered{}
		find := column.ids.finder(&names{ledger.Names{IDs: n.By[c].Keys, Type: n.By[c].Type}}, func(i, as int) { same[i] = as })
		for g, before := range of {
			i, found := find(g)
			if of[g] = csr.None; !found || before == csr.None {
				continue
			}
			name := [2]uint32{before, uint32(i)}
			if _, met := numbers[name]; !met {
				numbers[name] = uint32(len(numbers))
			}
			of[g] = numbers[name]
		}
		for i, name := range column.rows {
			if rows[i] = numbers.find(rows[i], name, same); rows[i] == csr.None {
				return nil, fmt.Errorf("%w: row %d: there is no %s", tables.ErrInput, i+1, p.graph(i))
			}
		}
	}
	graphs := make([]uint32, len(of)) // by number
	for g, number := range of {
		if number != csr.None {
			graphs[number] = uint32(g)
		}
	}
	for i, number := range rows {
		rows[i] = graphs[number]
	}
	return rows, nil
}
