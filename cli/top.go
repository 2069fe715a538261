package cli

import (
	"cmp"
	"container/heap"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
	"bcstage/internal/measures"
)

// writeTop prints the rows of a table in their order, which is by score within each graph. The
// printed rank replaces a column of ranks.
func writeTop(w io.Writer, t *tables.Table) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	names, format := t.Names()
	fmt.Fprint(out, "rank\t"+strings.Join(names, "\t")+"\t")
	var shown []func(v uint32) string
	intervals := intervalColumns(t)
	for _, c := range t.Columns {
		if c.Name == measures.Rank {
			continue
		}
		fmt.Fprint(out, c.Name+"\t")
		like := c
		if slices.Contains(intervals, c.Name) {
			like = t.Columns[0]
		}
		shown = append(shown, shownValue(c, like, t.Order))
	}
	fmt.Fprintln(out)
	scores := scoresOf(t)
	place, rank := 0, 0 // in the vertex's graph; equal scores share a rank
	for i, v := range t.Order {
		if place++; i == 0 || t.GraphOf(int(v)) != t.GraphOf(int(t.Order[i-1])) {
			place, rank = 1, 1
		} else if scores[v] != scores[t.Order[i-1]] {
			rank = place
		}
		fmt.Fprintf(out, "%d\t", rank)
		for column := range names {
			fmt.Fprintf(out, "%s\t", printable(string(format(nil, column, int(v)))))
		}
		for _, show := range shown {
			fmt.Fprint(out, show(v)+"\t")
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}

// shownValue formats a column's values, with the same number of decimals in all rows, as suits
// another column or itself.
func shownValue(c, like tables.Column, rows []uint32) func(v uint32) string {
	values := c.Values.Numbers()
	if isWhole(c) {
		return func(v uint32) string { return strconv.FormatFloat(values[v], 'f', 0, 64) }
	}
	top, suits := 0.0, like.Values.Numbers()
	for _, v := range rows {
		top = max(top, suits[v])
	}
	decimals := figures.Decimals(top)
	return func(v uint32) string { return strconv.FormatFloat(values[v], 'f', decimals, 64) }
}

// scoresOf returns the values that rows are sorted by: those of the first column.
func scoresOf(t *tables.Table) []float64 { return t.Columns[0].Values.Numbers() }

// isWhole reports whether the values of a column are whole numbers.
func isWhole(c tables.Column) bool {
	_, real := c.Values.(tables.Floats)
	return !real
}

// highestOfEach is highest for every graph, one after the other.
func highestOfEach(t *tables.Table, most int) []uint32 {
	scores := scoresOf(t)
	if len(t.By) == 0 {
		return highest(scores, most)
	}
	// Vertices of each graph, one graph after the other.
	first := make([]int, t.Graphs()+1)
	for _, graph := range t.Graph {
		first[graph+1]++
	}
	for g := range t.Graphs() {
		first[g+1] += first[g]
	}
	vertices, next := make([]uint32, len(scores)), slices.Clone(first)
	for v, graph := range t.Graph {
		vertices[next[graph]] = uint32(v)
		next[graph]++
	}
	var best []uint32
	var own []float64
	for g := range t.Graphs() {
		of := vertices[first[g]:first[g+1]]
		own = own[:0]
		for _, v := range of {
			own = append(own, scores[v])
		}
		for _, i := range highest(own, most) {
			best = append(best, of[i])
		}
	}
	return best
}

// printable quotes an id that would move the cursor, break the table, or look like another id.
func printable(id string) string {
	switch {
	case id == "", strings.TrimSpace(id) != id, strings.HasPrefix(id, `"`), // a quoted id begins so
		!utf8.ValidString(id), strings.ContainsFunc(id, func(r rune) bool { return !unicode.IsPrint(r) }):
		return strconv.Quote(id)
	}
	return id
}

// highest returns the vertices of the most highest scores, best first, ties in first-seen order. A
// heap keeps the worst on top, so memory is O(most).
func highest(scores []float64, most int) []uint32 {
	h := &lowestFirst{scores: scores}
	for v := range scores {
		switch {
		case len(h.vertices) < most:
			heap.Push(h, uint32(v))
		case most > 0 && scores[v] > scores[h.vertices[0]]:
			h.vertices[0] = uint32(v)
			heap.Fix(h, 0)
		}
	}
	best := make([]uint32, len(h.vertices))
	for i := len(best) - 1; i >= 0; i-- {
		best[i] = heap.Pop(h).(uint32)
	}
	return best
}

type lowestFirst struct {
	scores   []float64
	vertices []uint32
}

func (h *lowestFirst) Len() int      { return len(h.vertices) }
func (h *lowestFirst) Swap(i, j int) { h.vertices[i], h.vertices[j] = h.vertices[j], h.vertices[i] }
func (h *lowestFirst) Push(v any)    { h.vertices = append(h.vertices, v.(uint32)) }
func (h *lowestFirst) Less(i, j int) bool {
	a, b := h.vertices[i], h.vertices[j]
	return cmp.Or(cmp.Compare(h.scores[a], h.scores[b]), cmp.Compare(b, a)) < 0
}

func (h *lowestFirst) Pop() any {
	last := len(h.vertices) - 1
	v := h.vertices[last]
	h.vertices = h.vertices[:last]
	return v
}
