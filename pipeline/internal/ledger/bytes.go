package ledger

import (
	"unsafe"

	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// Bytes is what a Ledger keeps of a question about n vertices and m edges, beside the plan
// and the names, and without what samples add; saved: and what its Snapshot takes as a
// table, in which ids of edges' rows are counted as numbers.
func Bytes(q question.Question, n int, m int64, saved bool) (bytes int64) {
	const sum, number, found = wordBytes, 8, int64(unsafe.Sizeof(preprocess.Found{}))
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
	ways := map[way]bool{} // that distances are searched
	for _, c := range newColumns(q, 0, 0) {
		of := vertices
		if way := (way{c.Outward(), c.Cutoff}); c.Search == question.Distances && q.Lengths.Column == "" && !ways[way] {
			ways[way] = true
			bytes += found * vertices
		}
		if c.Per == question.PerEdge {
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
