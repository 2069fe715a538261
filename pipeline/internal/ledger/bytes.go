package ledger

import (
	"unsafe"

	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// Bytes is the memory of a Ledger for a question about n vertices and m edges, without the plan,
// the names and samples. With saved it includes the table of a Snapshot, which counts ids of edges'
// rows as numbers.
func Bytes(q question.Question, n int, m int64, saved bool) (bytes int64) {
	const sum, number, found = wordBytes, 8, int64(unsafe.Sizeof(engine.Found{}))
	vertices, rows := int64(n), int64(n)
	if q.Edges {
		rows += m
	}
	facts := int64(len(factNames(q)))
	bytes = number * facts * vertices
	columns := facts // of the table
	type way struct {
		outward bool
		cutoff  string
	}
	ways := map[way]bool{} // with their own distance searches
	for _, c := range newColumns(q, 0, 0) {
		of := vertices
		if way := (way{c.Outward(), c.Cutoff}); c.Search == measures.Distances && q.Lengths.Column == "" && !ways[way] {
			ways[way] = true
			bytes += found * vertices
		}
		if c.Per == measures.PerEdge {
			of = rows - vertices
		}
		bytes += sum * of
		if saved {
			bytes += sum * of
		}
		columns += limbs
		if c.closed() {
			columns++
		}
		if c.wide() {
			columns++
		}
		if saved && !q.Edges {
			bytes += number * limbs * of // closed forms and facts are shared
		}
	}
	if saved && q.Edges {
		const ends, id = 2, 1
		bytes += number * (columns + ends + id) * rows
	}
	return bytes
}
