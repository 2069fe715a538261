package pipeline

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// arcs are edges with lengths.
type arcs map[[2]int]float64

// drawnArcs draws trees, cycles and several components.
func drawnArcs(r *rand.Rand, directed bool) arcs {
	n, list := 8+r.IntN(30), arcs{}
	for v := 1; v < n; v++ {
		for range 1 + r.IntN(3) {
			if r.IntN(8) > 0 {
				list.set(r.IntN(v), v, length(r), directed && r.IntN(2) > 0)
			}
		}
	}
	if directed { // most of it is one strong component
		for v := range n {
			list.set(v, (v+1)%n, length(r), false)
		}
	}
	return list
}

// set adds or replaces an edge.
func (a arcs) set(u, v int, length float64, turned bool) {
	if turned {
		u, v = v, u
	}
	if u != v {
		a[[2]int{u, v}] = length
	}
}

func length(r *rand.Rand) float64 { return float64(2*(1+r.IntN(4))) / 2 }

// changed returns a copy with up to three changes: an edge comes, goes or gets another length, or a leaf comes. The unit of lengths
// may become a half.
func (a arcs) changed(r *rand.Rand, lengths bool) arcs {
	list, edges := arcs{}, [][2]int(nil)
	for v := range 50 { // in one order
		for u := range 50 {
			if x, ok := a[[2]int{u, v}]; ok {
				list[[2]int{u, v}] = x
				edges = append(edges, [2]int{u, v})
			}
		}
	}
	for range r.IntN(4) {
		e := edges[r.IntN(len(edges))]
		switch r.IntN(4) {
		case 0:
			delete(list, e)
		case 1:
			list.set(e[0], edges[r.IntN(len(edges))][1], length(r), r.IntN(2) > 0)
		case 2:
			if list[e] > 0 {
				list[e] += 0.5
			}
		default:
			list.set(e[0], 45+r.IntN(5), length(r), r.IntN(2) > 0)
		}
	}
	for e := range list { // one edge for both directions, of an undirected graph: the shorter one counts, as ever
		if x := list[[2]int{e[1], e[0]}]; x > 0 && !lengths {
			list[e] = x
		}
	}
	return list
}

// ask returns the options of a run over the edges.
func (a arcs) ask(q question.Question, sources, targets *VertexSet) Options {
	var text strings.Builder
	text.WriteString("src,dst,m\n")
	for v := range 50 {
		for u := range 50 {
			if x, ok := a[[2]int{u, v}]; ok {
				fmt.Fprintf(&text, "%d,%d,%v\n", u, v, x)
			}
		}
	}
	opts := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Stdin: strings.NewReader(text.String()), Format: tables.FormatCSV}}}
	opts.Engine, opts.Question, opts.Sources, opts.Targets = EngineCPU, q, sources, targets
	opts.Files.IgnoreWeight = q.Lengths.Column == ""
	return opts
}

// changesTo returns the changes as a table.
func (a arcs) changesTo(now arcs, directed bool) string {
	var text strings.Builder
	text.WriteString("src,dst,op\n")
	in := func(list arcs, u, v int) bool { return list[[2]int{u, v}] > 0 || !directed && list[[2]int{v, u}] > 0 }
	for v := range 50 {
		for u := range 50 {
			switch was, is := in(a, u, v), in(now, u, v); {
			case was == is || !directed && u > v:
			case is:
				fmt.Fprintf(&text, "%d,%d,+\n", u, v)
			default:
				fmt.Fprintf(&text, "%d,%d,-\n", u, v)
			}
		}
	}
	return text.String()
}

// Scores of directed graphs, by lengths, within a cutoff, from sources to targets are updated to those of a run: in all these
// combinations. Lengths may change, and so may their unit.
func TestSinceOfQuestions(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 9))
	ways := map[string]int{}
	for i := range 200 {
		q := question.Question{Directed: i%2 > 0}
		if i/2%2 > 0 {
			q.Lengths.Column = "m"
		}
		if r.IntN(3) == 0 {
			q.Cutoff = fmt.Sprint(1 + r.IntN(6))
		}
		before := drawnArcs(r, q.Directed)
		now := before.changed(r, q.Lengths.Column != "")
		there := func() *VertexSet { // in both graphs
			var ids []int64
			for id := range int64(50) {
				in := func(a arcs) bool {
					for e := range a {
						if int64(e[0]) == id || int64(e[1]) == id {
							return true
						}
					}
					return false
				}
				if r.IntN(3) > 0 && in(before) && in(now) {
					ids = append(ids, id)
				}
			}
			return VertexSetOf(ids...)
		}
		var sources, targets *VertexSet
		switch r.IntN(4) {
		case 0:
			sources = there()
		case 1:
			sources, targets = there(), there()
		case 2:
			sources = there()
			targets = sources
		}
		run := func(a arcs, since *Since) (table tables.Table, stats *Stats) {
			opts := a.ask(q, sources, targets)
			opts.Since = since
			stats, err := Run(t.Context(), opts, into(&table))
			if err != nil {
				t.Fatalf("%d: %v: %v", i, q, err)
			}
			return table, stats
		}
		scores, _ := run(before, nil)
		whole, _ := run(now, nil)
		want := byID(whole, tables.ScoreColumn)
		since := &Since{Prepared: prepared(t, before.ask(q, sources, targets)), Scores: &scores}
		for _, way := range []string{wayMasses, waySides, ""} {
			since.way = way
			got, stats := run(now, since)
			if differs := alike(got, want); differs != "" {
				t.Errorf("%d: %v by %s of %+v: %s", i, q, stats.Since.Way, stats.Since, differs)
			}
			ways[fmt.Sprintf("%t %t %s", q.Directed, q.Lengths.Column != "", stats.Since.Way)]++
			if way == "" {
				continue
			}
			file := now.ask(q, sources, targets)
			file.Files, file.Files.Paths = tables.Options{}, []string{prepared(t, file)}
			file.Since = since
			var table tables.Table
			if _, err := Run(t.Context(), file, into(&table)); err != nil {
				t.Fatalf("%d: %v prepared: %v", i, q, err)
			}
			if differs := alike(table, want); differs != "" {
				t.Errorf("%d: %v prepared: %s", i, q, differs)
			}
		}
		if q.Lengths.Column != "" {
			continue
		}
		opts := now.ask(q, sources, targets)
		opts.Input, since.Changes = Input{}, changes(t, before.changesTo(now, q.Directed))
		opts.Sources, opts.Targets, opts.Since = sources, targets, since
		var table tables.Table
		if _, err := Run(t.Context(), opts, into(&table)); err != nil {
			t.Fatalf("%d: %v by a table of changes: %v", i, q, err)
		}
		if differs := alike(table, want); differs != "" {
			t.Errorf("%d: %v by a table of changes: %s", i, q, differs)
		}
	}
	for _, way := range []string{"false false " + wayMasses, "false true " + wayMasses, "false false " + waySides, "true false " + waySides, "false true " + waySides, "true true " + waySides} {
		if ways[way] < 5 {
			t.Errorf("directed, with lengths, %s: %d runs of %v", way, ways[way], ways)
		}
	}
}
