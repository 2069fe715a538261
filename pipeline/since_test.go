package pipeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// night is an earlier run to update from.
func night(t *testing.T, e *edgeList) *Since {
	t.Helper()
	table := run1(t, e, Options{})
	return &Since{Prepared: prepared(t, Options{Question: question.Question{Directed: e.directed}, Input: Input{Source: sourceOf(e)}}), Scores: &table}
}

// changedBy returns the graph with some edges added and some removed, in another order, and the changes as a table.
func (e *edgeList) changedBy(r *rand.Rand, added, removed [][2]int64) (*edgeList, string) {
	gone, text := map[[2]int64]bool{}, "src,dst,op\n"
	for _, x := range removed {
		gone[x], gone[[2]int64{x[1], x[0]}] = true, true
		text += fmt.Sprintf("%d,%d,-\n", x[1], x[0])
	}
	c := &edgeList{name: e.name + " changed"}
	for i := range e.src {
		if !gone[[2]int64{e.src[i], e.dst[i]}] {
			c.src, c.dst = append(c.src, e.src[i]), append(c.dst, e.dst[i])
		}
	}
	for _, x := range added {
		c.src, c.dst = append(c.src, x[0]), append(c.dst, x[1])
		text += fmt.Sprintf("%d,%d,+\n", x[0], x[1])
	}
	r.Shuffle(len(c.src), func(i, j int) {
		c.src[i], c.src[j], c.dst[i], c.dst[j] = c.src[j], c.src[i], c.dst[j], c.dst[i]
	})
	return c, text
}

// changes reads a table of changes.
func changes(t *testing.T, text string) *ChangeTable {
	t.Helper()
	path := filepath.Join(t.TempDir(), "changes.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := ReadChangeTable(t.Context(), arrowio.ReadTrips, tables.Options{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// drawnChanges draws changes of a graph: leaves, edges inside, or both, and removed edges.
func drawnChanges(r *rand.Rand, e *edgeList, kind, count int) (added, removed [][2]int64) {
	is, degree, vertices := map[[2]int64]bool{}, map[int64]int{}, []int64(nil)
	for i := range e.src {
		is[[2]int64{e.src[i], e.dst[i]}], is[[2]int64{e.dst[i], e.src[i]}] = true, true
	}
	for x := range is {
		if degree[x[0]]++; degree[x[0]] == 1 {
			vertices = append(vertices, x[0])
		}
	}
	slices.Sort(vertices)
	met := map[[2]int64]bool{}
	for i := range count {
		u, v := vertices[r.IntN(len(vertices))], vertices[r.IntN(len(vertices))]
		switch j := r.IntN(len(e.src)); {
		case kind == 0:
			added = append(added, [2]int64{u, int64(1000 + i)})
		case u == v || met[[2]int64{u, v}]:
		case kind == 1 && !is[[2]int64{u, v}]:
			met[[2]int64{u, v}], met[[2]int64{v, u}] = true, true
			added = append(added, [2]int64{u, v})
		case kind > 1:
			x := [2]int64{e.src[j], e.dst[j]}
			if x[0] != x[1] && !met[x] {
				met[x], met[[2]int64{x[1], x[0]}] = true, true
				removed = append(removed, x)
			}
		}
	}
	return added, removed
}

// alike describes the difference between a table of scores and scores by id; "": rounding only.
func alike(table tables.Table, want map[int64]float64) string {
	largest := 0.0
	for _, x := range want {
		largest = max(largest, x)
	}
	if table.IDs.Len() != len(want) {
		return fmt.Sprintf("%d vertices, want %d", table.IDs.Len(), len(want))
	}
	for v, id := range table.IDs.Ints {
		if x, ok := want[int64(id)]; !ok || math.Abs(scoresIn(table)[v]-x) > 1e-12*largest || scoresIn(table)[v] < 0 {
			return fmt.Sprintf("vertex %d has %v, want %v (there: %t)", id, scoresIn(table)[v], x, ok)
		}
	}
	return ""
}

// Updated scores are the textbook's: by every way, on one thread and several, from edges, a prepared graph and a table
// of changes. If the change is reverted, they are those of before.
func TestSince(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 3))
	ways := map[string]int{}
	for _, e := range graphs(r, 6) {
		since := night(t, e)
		for kind := range 3 {
			added, removed := drawnChanges(r, e, kind, 1+r.IntN(3))
			now, text := e.changedBy(r, added, removed)
			if len(now.src) == 0 {
				continue
			}
			want := now.oracle()
			for _, way := range []string{wayMasses, waySides, ""} {
				opts := Options{Since: &Since{Prepared: since.Prepared, Scores: since.Scores, way: way}, Compute: Compute{Threads: 1 + r.IntN(3), Engine: EngineCPU}}
				for input, run := range map[string]func() (tables.Table, *Stats){
					"edges": func() (table tables.Table, _ *Stats) {
						opts.Source = sourceOf(now)
						stats, err := Run(t.Context(), opts, into(&table))
						if err != nil {
							t.Fatalf("%s %v: %v", now.name, text, err)
						}
						return table, stats
					},
					"prepared": func() (table tables.Table, _ *Stats) {
						opts := opts
						opts.Source, opts.Files.Paths = nil, []string{prepared(t, Options{Input: Input{Source: sourceOf(now)}})}
						stats, err := Run(t.Context(), opts, into(&table))
						if err != nil {
							t.Fatalf("%s %v: %v", now.name, text, err)
						}
						return table, stats
					},
					"changes": func() (table tables.Table, _ *Stats) {
						opts := opts
						changed := *opts.Since
						opts.Source, changed.Changes = nil, changes(t, text)
						opts.Since = &changed
						stats, err := Run(t.Context(), opts, into(&table))
						if err != nil {
							t.Fatalf("%s %v: %v", now.name, text, err)
						}
						return table, stats
					},
				} {
					table, stats := run()
					if differs := alike(table, want); differs != "" && !(input == "changes" && selfLoops(e)) {
						t.Errorf("%s, %s, %s, by %s: %s\n%s", now.name, input, way, stats.Since.Way, differs, text)
					}
					if stats.Since.Added != int64(len(added)) || stats.Since.Removed != int64(len(removed)) {
						if !selfLoops(e) {
							t.Errorf("%s, %s: %+v, want %d added and %d removed", now.name, input, stats.Since, len(added), len(removed))
						}
					}
					ways[stats.Since.Way]++
					if input != "edges" || stats.Since.Way == wayWhole {
						continue
					}
					back := Options{Since: &Since{Prepared: prepared(t, Options{Input: Input{Source: sourceOf(now)}}), Scores: &table, way: way}}
					again := run1(t, e, back)
					if differs := alike(again, e.oracle()); differs != "" {
						t.Errorf("%s and back, %s: %s\n%s", now.name, way, differs, text)
					}
				}
			}
		}
	}
	for _, way := range []string{wayMasses, waySides, wayUnchanged, wayWhole} {
		if ways[way] < 10 {
			t.Errorf("%s: %d runs of %v", way, ways[way], ways)
		}
	}
}

// selfLoops reports whether a vertex may have nothing but a loop: it then stays in the table, without an edge.
func selfLoops(e *edgeList) bool {
	for i := range e.src {
		if e.src[i] == e.dst[i] {
			return true
		}
	}
	return false
}

// An update that takes longer to lay out than a run is not planned. All vertices on one side of a complete bipartite graph
// are twins, so few searches remain of a graph with many edges.
func TestDearUpdatesAreRuns(t *testing.T) {
	for count, dear := range map[int64]bool{2_000: false, 20_000: true} {
		e, now := &edgeList{name: "bipartite"}, &edgeList{name: "bipartite changed"}
		for v := range count {
			for u := range int64(2) {
				e.src, e.dst = append(e.src, u), append(e.dst, 2+v)
			}
		}
		now.src, now.dst = append(e.src, 2), append(e.dst, 3)
		var table tables.Table
		stats, err := Run(t.Context(), Options{Input: Input{Source: sourceOf(now)}, Since: night(t, e)}, into(&table))
		if err != nil {
			t.Fatal(err)
		}
		if sides := stats.Since.Ways[1]; sides.Way != waySides || dear != (sides.Off == "takes as long as a whole run") {
			t.Errorf("%d vertices: %+v", count, sides)
		}
		if wrong := alike(table, byID(run1(t, now, Options{}), tables.ScoreColumn)); wrong != "" {
			t.Errorf("%d vertices: %s", count, wrong)
		}
	}
}
