package pipeline

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// arcs are edges with lengths.
type arcs map[[2]int]float64

// drawnArcs draws trees, cycles and several components, or streets.
func drawnArcs(r *rand.Rand, directed bool) arcs {
	n, list := 8+r.IntN(30), arcs{}
	if r.IntN(6) == 0 { // 44 crossings
		for v := range 44 {
			for _, w := range []int{v + 1, v + 4} {
				if w < 44 && (w != v+1 || w%4 > 0) && r.IntN(9) > 0 {
					if list.set(v, w, length(r), directed && r.IntN(2) > 0); directed && r.IntN(4) > 0 {
						list.set(w, v, length(r), false)
					}
				}
			}
		}
		return list
	}
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
func (a arcs) changesTo(now arcs, directed, lengths bool) string {
	var text strings.Builder
	text.WriteString("src,dst,op\n")
	in := func(list arcs, u, v int) float64 { // of two edges, the shorter one counts
		x, y := list[[2]int{u, v}], list[[2]int{v, u}]
		if directed || y == 0 || x > 0 && x < y {
			return x
		}
		return y
	}
	for v := range 50 {
		for u := range 50 {
			switch was, is := in(a, u, v), in(now, u, v); {
			case !directed && u > v:
			case is == 0 && was > 0:
				fmt.Fprintf(&text, "%d,%d,-\n", u, v)
			case lengths && is != was:
				fmt.Fprintf(&text, "%d,%d,%v\n", u, v, is)
			case !lengths && is > 0 && was == 0:
				fmt.Fprintf(&text, "%d,%d,+\n", u, v)
			}
		}
	}
	return text.String()
}

// drawnOf draws a set of vertices that both graphs have.
func drawnOf(r *rand.Rand, before, now arcs) *VertexSet {
	in := func(a arcs, id int) bool {
		for e := range a {
			if e[0] == id || e[1] == id {
				return true
			}
		}
		return false
	}
	var ids []int64
	for id := range 50 {
		if r.IntN(3) > 0 && in(before, id) && in(now, id) {
			ids = append(ids, int64(id))
		}
	}
	return VertexSetOf(ids...)
}

// vertexTables writes tables of masses: of a graph before, and of one with the vertices that may come.
func vertexTables(t *testing.T, r *rand.Rand) (before, now string) {
	t.Helper()
	text := "id,a,b\n0,.5,1.25\n"
	for id := 1; id < 50; id++ {
		if id == 45 {
			before = text
		}
		if r.IntN(4) > 0 {
			text += fmt.Sprintf("%d,%v,%v\n", id, float64(r.IntN(9))/2, 7*r.IntN(3))
		}
	}
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "vertices.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write(before), write(text)
}

// Scores of directed graphs, by lengths, within a cutoff, from sources to targets, with masses are updated to those of a run: in
// all these combinations. Lengths may change, and so may their unit.
func TestSinceOfQuestions(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 9))
	ways := map[string]int{}
	for i := range 300 {
		q := question.Question{Directed: i%2 > 0}
		if i/2%2 > 0 {
			q.Lengths.Column = "m"
		}
		if r.IntN(3) == 0 {
			q.Cutoff = fmt.Sprint(1 + r.IntN(6))
		}
		before := drawnArcs(r, q.Directed)
		now := before.changed(r, q.Lengths.Column != "")
		there := func() *VertexSet { return drawnOf(r, before, now) }
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
		weighed, vertices := i/4%2 > 0, map[bool]string{}
		if weighed {
			vertices[false], vertices[true] = vertexTables(t, r)
			q.Origins.Column, q.Destinations.Column = []string{"a", "", "a"}[i%3], []string{"b", "b", ""}[i%3]
		}
		options := func(today bool) Options {
			opts := before.ask(q, sources, targets)
			if today {
				opts = now.ask(q, sources, targets)
			}
			opts.Files.Vertices = vertices[today]
			return opts
		}
		file := func(today bool) string {
			opts := options(today)
			opts.Question.Origins, opts.Question.Destinations = question.Masses{}, question.Masses{}
			return prepared(t, opts)
		}
		run := func(today bool, since *Since) (table tables.Table, stats *Stats) {
			opts := options(today)
			opts.Since = since
			stats, err := Run(t.Context(), opts, into(&table))
			if err != nil {
				t.Fatalf("%d: %v: %v", i, q, err)
			}
			return table, stats
		}
		scores, _ := run(false, nil)
		whole, _ := run(true, nil)
		want := byID(whole, whole.Columns[0].Name)
		since := &Since{Prepared: file(false), Scores: &scores}
		for _, way := range []string{wayMasses, waySides, ""} {
			since.way = way
			got, stats := run(true, since)
			if differs := alike(got, want); differs != "" {
				t.Errorf("%d: %v by %s of %+v: %s", i, q, stats.Since.Way, stats.Since, differs)
			}
			ways[fmt.Sprintf("%t %t %t %s", q.Directed, q.Lengths.Column != "", weighed, stats.Since.Way)]++
			if way == "" {
				continue
			}
			again := options(true)
			again.Files = tables.Options{Paths: []string{file(true)}, Vertices: again.Files.Vertices}
			again.Since = since
			var table tables.Table
			if _, err := Run(t.Context(), again, into(&table)); err != nil {
				t.Fatalf("%d: %v prepared: %v", i, q, err)
			}
			if differs := alike(table, want); differs != "" {
				t.Errorf("%d: %v prepared: %s", i, q, differs)
			}
		}
		opts := now.ask(q, sources, targets)
		opts.Input = Input{Read: arrowio.Read, Files: tables.Options{Vertices: vertices[true]}}
		since.Changes = changes(t, before.changesTo(now, q.Directed, q.Lengths.Column != ""))
		opts.Sources, opts.Targets, opts.Since = sources, targets, since
		var table tables.Table
		if _, err := Run(t.Context(), opts, into(&table)); err != nil {
			t.Fatalf("%d: %v by a table of changes: %v", i, q, err)
		}
		if differs := alike(table, want); differs != "" {
			t.Errorf("%d: %v by a table of changes: %s", i, q, differs)
		}
	}
	for _, weighed := range []string{"false ", "true "} {
		for _, way := range []string{"false false " + weighed + wayMasses, "false true " + weighed + wayMasses, "false false " + weighed + waySides,
			"true false " + weighed + waySides, "false true " + weighed + waySides, "true true " + weighed + waySides} {
			if ways[way] < 5 {
				t.Errorf("directed, with lengths, with masses, %s: %d runs of %v", way, ways[way], ways)
			}
		}
	}
}
