package building

import (
	"fmt"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
)

// Scopes separates vertices of equal ids: by the graph of each vertex, if there are
// several, and by its side of a bipartite graph. With the zero value, an id alone
// names a vertex.
//
// Several graphs are reduced and searched as components of one.
type Scopes struct {
	Of   []uint32 // by vertex: number of its graph, in first-seen order; nil: one graph
	By   []Keys   // names of the graphs: columns with a row per graph
	Side []uint8  // by vertex: 0 if edges call it their source, 1 if destination; nil: not bipartite
}

// Graphs returns the number of graphs.
func (s *Scopes) Graphs() int {
	if len(s.By) == 0 {
		return 1
	}
	return s.By[0].Len()
}

// vertexTable numbers vertices in first-seen order. The name of a vertex may have
// several parts: the columns of its graph, its side, its id. Each part is numbered by
// itself and then paired with those before it. So ids keep their type and their
// table, and strings that occur in many graphs are stored once.
type vertexTable struct {
	ids   interner
	sides int // 2 if sources and destinations are two sets; else 1

	by       []interner // by column that names the graph
	joined   []pairing  // by column except the first: pairs with the columns before
	vertices pairing    // of graph and side with the id
	graph    []uint32   // scratch: of each row
	column   []uint32   // scratch: a column of each row
	starts   []uint32   // scratch: rows where a run of equal values starts
}

func newVertexTable(threads int, bipartite bool, columns int) *vertexTable {
	t := &vertexTable{ids: interner{threads: threads}, sides: 1, by: make([]interner, columns), joined: make([]pairing, max(columns-1, 0))}
	if bipartite {
		t.sides = 2
	}
	for c := range t.by {
		t.by[c].threads = threads
	}
	for c := range t.joined {
		t.joined[c].threads = threads
	}
	t.vertices.threads = threads
	return t
}

// scoped reports whether an id alone does not name a vertex.
func (t *vertexTable) scoped() bool { return t.sides > 1 || len(t.by) > 0 }

// count is the number of vertices so far.
func (t *vertexTable) count() int {
	if t.scoped() {
		return t.vertices.count()
	}
	return t.ids.count()
}

// bytes is the most memory that the table takes until more vertices are added and all
// are listed, and the memory of the list, which stays.
func (t *vertexTable) bytes(more int) (most, listed int64) {
	if t.ids.table == nil {
		return 0, 0
	}
	most, listed = t.ids.table.bytes(more)
	if !t.scoped() || t.vertices.table == nil {
		return most, listed
	}
	pairs, _ := t.vertices.table.bytes(more)
	vertices := int64(t.count() + more)
	listed = listed * vertices / int64(max(t.ids.count()+more, 1))
	most += pairs + listed + 8*vertices
	listed += 4 * vertices
	for _, columns := range [][]interner{t.by, interners(t.joined)} {
		for i := range columns {
			in := &columns[i]
			if in.table == nil {
				continue
			}
			fresh := int(int64(more) * int64(in.count()) / int64(max(t.count(), 1))) // as many per vertex as so far
			growing, _ := in.table.bytes(fresh)
			names := in.picked(fresh)
			most += growing + names
			listed += names
		}
	}
	return most, listed
}

// picked is the memory of a list of all values in another order, once more are added.
func (in *interner) picked(more int) int64 {
	all := int64(in.count() + more)
	if t, ok := in.table.(*stringTable); ok && in.count() > 0 {
		return 8*all + int64(len(t.text))*all/int64(in.count())
	}
	return 8 * all
}

// held is the memory of the table now.
func (t *vertexTable) held() (bytes int64) {
	for _, columns := range [][]interner{{t.ids, t.vertices.interner}, t.by, interners(t.joined)} {
		for i := range columns {
			if table := columns[i].table; table != nil {
				most, _ := table.bytes(0)
				bytes += most
			}
		}
	}
	return bytes
}

func interners(joined []pairing) (list []interner) {
	for i := range joined {
		list = append(list, joined[i].interner)
	}
	return list
}

// number writes the numbers of vertices. New ones are numbered in the order src[0],
// dst[0], src[1], dst[1] and so on. dst may be empty; then side, unless it is nil, is
// the side of each of src.
func (t *vertexTable) number(src, dst Keys, side []uint8, by []Keys, outSrc, outDst []uint32) {
	t.ids.number(src, dst, outSrc, outDst)
	if !t.scoped() {
		return
	}
	rows := src.Len()
	graph := t.graphs(by, rows)
	p := &t.vertices
	p.fit(t.graphCount()*t.sides, t.ids.count())
	p.first, p.second = withRoom(p.first[:0], rows)[:rows], withRoom(p.second[:0], rows)[:rows]
	for i, id := range outSrc[:rows] {
		scope := uint64(graph[i]) * uint64(t.sides)
		if side != nil {
			scope += uint64(side[i])
		}
		p.first[i] = p.pack(scope, id)
	}
	if dst.Len() == 0 {
		p.interner.number(Keys{Ints: p.first}, Keys{}, outSrc, nil)
		return
	}
	other := uint64(t.sides - 1)
	for i, id := range outDst[:rows] {
		p.second[i] = p.pack(uint64(graph[i])*uint64(t.sides)+other, id)
	}
	p.interner.number(Keys{Ints: p.first}, Keys{Ints: p.second}, outSrc, outDst)
}

// graphs returns the graph of each row.
func (t *vertexTable) graphs(by []Keys, rows int) []uint32 {
	t.graph = withRoom(t.graph[:0], rows)[:rows]
	if len(by) == 0 {
		clear(t.graph)
		return t.graph
	}
	t.numberRuns(&t.by[0], by[0], t.graph)
	for c := 1; c < len(by); c++ {
		before := t.by[0].count()
		if c > 1 {
			before = t.joined[c-2].count()
		}
		t.column = withRoom(t.column[:0], rows)[:rows]
		t.numberRuns(&t.by[c], by[c], t.column)
		p := &t.joined[c-1]
		p.fit(before, t.by[c].count())
		p.first = withRoom(p.first[:0], rows)[:rows]
		for i, value := range t.column {
			p.first[i] = p.pack(uint64(t.graph[i]), value)
		}
		p.interner.number(Keys{Ints: p.first}, Keys{}, t.graph, nil)
	}
	return t.graph
}

// numberRuns numbers a column that names graphs. Rows of one graph are mostly
// consecutive, and then only the first of them is looked up.
func (t *vertexTable) numberRuns(in *interner, keys Keys, out []uint32) {
	starts := t.starts[:0]
	for row := range out {
		if row == 0 || !keys.equal(row-1, row) {
			starts = append(starts, uint32(row))
		}
	}
	if t.starts = starts; len(starts) > len(out)/2 {
		in.number(keys, Keys{}, out, nil)
		return
	}
	numbers := make([]uint32, len(starts))
	in.number(keys.Pick(starts), Keys{}, numbers, nil)
	for i, start := range starts {
		end := len(out)
		if i+1 < len(starts) {
			end = int(starts[i+1])
		}
		for row := int(start); row < end; row++ {
			out[row] = numbers[i]
		}
	}
}

func (t *vertexTable) graphCount() int {
	switch len(t.by) {
	case 0:
		return 1
	case 1:
		return t.by[0].count()
	}
	return t.joined[len(t.joined)-1].count()
}

// names takes the table apart: the id of each vertex, and its other parts.
func (t *vertexTable) names() (Keys, Scopes) {
	if t.ids.table == nil {
		return Keys{}, Scopes{}
	}
	if !t.scoped() {
		return t.ids.table.ids(), Scopes{}
	}
	scope, id := t.vertices.unpack()
	ids := t.ids.table.ids().Pick(id)
	var p Scopes
	if t.sides > 1 {
		p.Side = make([]uint8, len(scope))
		for v := range scope {
			p.Side[v] = uint8(scope[v] % 2)
			scope[v] /= 2
		}
	}
	if len(t.by) == 0 {
		return ids, p
	}
	p.Of = scope
	p.By = make([]Keys, len(t.by))
	graphs := csr.Ascending(t.graphCount()) // by graph: the numbers of the columns so far
	for c := len(t.by) - 1; c > 0; c-- {
		before, value := t.joined[c-1].unpack()
		values := make([]uint32, len(graphs))
		for g, joined := range graphs {
			graphs[g], values[g] = before[joined], value[joined]
		}
		p.By[c] = t.by[c].table.ids().Pick(values)
	}
	p.By[0] = t.by[0].table.ids().Pick(graphs)
	return ids, p
}

// Held returns the memory of graphs and sides.
func (s *Scopes) Held() int64 {
	sum := budget.Held(s.Of) + budget.Held(s.Side)
	for _, column := range s.By {
		sum += column.Held()
	}
	return sum
}

// Check checks that graphs and sides are in range.
func (s *Scopes) Check() error {
	graphs := s.Graphs()
	for _, column := range s.By {
		if err := column.Check(); err != nil {
			return err
		}
		if column.Len() != graphs {
			return fmt.Errorf("%d and %d graphs", column.Len(), graphs)
		}
	}
	for v, graph := range s.Of {
		if len(s.By) == 0 || int(graph) >= graphs {
			return fmt.Errorf("vertex %d: graph %d of %d", v, graph, graphs)
		}
	}
	for v, side := range s.Side {
		if side > 1 {
			return fmt.Errorf("vertex %d: side %d", v, side)
		}
	}
	return nil
}
