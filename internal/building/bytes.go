package building

import (
	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/preprocess/question"
)

// Bytes returns the most memory that the Builder will have held when Build
// returns, if vertices more ids, all of them new, and rows more edges are added.
// It includes the growth of its tables, but not garbage.
func (b *Builder) Bytes(vertices, rows int) int64 {
	reading := b.Adding(vertices, rows)
	edges, room := b.edgeBytes(), max(int64(rows), b.rows/8)
	ids := int64(0)
	if b.table != nil {
		_, ids = b.table.bytes(vertices)
	}
	all := b.rows + int64(rows+len(b.mixed.row))
	distinct := all
	if b.spilled { // how many are no repeats is known later: see fits
		distinct = 0
	}
	building := rowsBytes(b.Vertices()+vertices, all, distinct, b.Directed, b.spilled, b.threads)
	if len(b.weights) > 0 {
		weights := b.weightBytes() + 10*room
		// The edges stay, and both arcs of each get a length.
		building += weights + edges + 8*room + 2*8*all
		if b.Repeats == question.RepeatsError { // and a hash of the written number, where it is rounded
			building += 8 * all
		}
	}
	if b.Repeats == question.RepeatsKeep { // edges as given, and the number of copies of each
		building += edges + 8*room + 4*2*all
	}
	if b.KeepEdges { // as given, and their numbers
		building += edges + 8*room + 2*8*all
	}
	if b.KeepRows {
		building += 16*(b.rows+int64(rows)) + 4*int64(len(b.mixed.row))
	}
	return max(reading, ids+building)
}

// Adding returns the most memory that the Builder holds while that much is added
// to it.
func (b *Builder) Adding(vertices, rows int) int64 {
	each := int64(2 * 4)
	if len(b.weights) > 0 {
		each += 10
	}
	bytes := b.edgeBytes() + b.weightBytes()
	if !b.spilled {
		bytes += each * max(int64(rows), b.rows/8)
	}
	if len(b.mixed.row)+len(b.mixed.reversed) > 0 { // all may run both ways
		bytes += (each + 4) * max(int64(rows), int64(len(b.mixed.row))/4)
	}
	if b.table != nil {
		numbering, _ := b.table.bytes(vertices)
		bytes += numbering
	}
	return bytes
}

// Held returns the memory that the Builder holds now.
func (b *Builder) Held() int64 {
	bytes := b.edgeBytes() + b.weightBytes()
	if b.table != nil {
		bytes += b.table.held()
	}
	return bytes
}

func (b *Builder) edgeBytes() (bytes int64) {
	if b.spilled {
		return 0
	}
	for _, chunk := range b.edges {
		bytes += budget.Held(chunk.src) + budget.Held(chunk.dst)
	}
	return bytes
}

func (b *Builder) weightBytes() int64 {
	bytes := budget.Held(b.weights) + b.mixed.held()
	for _, of := range b.weights {
		bytes += of.held()
	}
	return bytes
}

// fits asks Fits about a graph with so many edges, whose halves are in files.
func (b *Builder) fits(n int, edges, ids int64) error {
	if b.Fits == nil {
		return nil
	}
	return b.Fits(ids + rowsBytes(n, edges, edges, b.Directed, true, b.threads))
}

// rowsBytes is the most memory that makeRows holds, the given edges included. First it holds these, with the ends of
// buckets in spans, beside the halves, then the halves beside the graph, of the distinct edges. Edges and halves may be
// in files.
func rowsBytes(n int, edges, distinct int64, directed, filed bool, threads int) int64 {
	l, graph := csr.BucketsFor(n, edges), csr.BucketsFor(n, distinct)
	halves, _ := l.Bytes(directed, filed, threads)
	_, rows := graph.Bytes(directed, filed, threads)
	given := 4 * int64(l.Count) * (edges/mostInSpan + 1)
	if !filed {
		given += 8 * edges
	}
	return halves + max(given, rows)
}
