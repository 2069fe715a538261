package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// weighed are origins and destinations by id.
type weighed [2][]int64

// drawnMasses draws a few large masses, small ones, and vertices without any. A vertex that goes has none.
func drawnMasses(r *rand.Rand, graphs [2]*edgeList, scale int64) (of weighed) {
	there := graphs[1].vertices()
	for id := range int64(2000) {
		for side := range of {
			mass := []int64{0, 1, 3, 20}[r.IntN(4)] * scale
			if !slices.Contains(there, id) {
				mass = 0
			}
			of[side] = append(of[side], mass)
		}
	}
	return of
}

// vertices are the ids, ascending.
func (e *edgeList) vertices() []int64 {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.src, e.dst))))
}

// options are those of a run of a graph, whose masses have some digits after the point.
func (w weighed) options(t *testing.T, e *edgeList, digits int) Options {
	t.Helper()
	var rows []string
	for _, id := range e.vertices() {
		rows = append(rows, fmt.Sprintf("%d,%de-%d,%de-%d", id, w[0][id], digits, w[1][id], digits))
	}
	return e.tabled(t, "id,a,b", rows...)
}

// run asks for flows of a graph, since an earlier day if that is not nil.
func (w weighed) run(t *testing.T, e *edgeList, digits int, since *Since, sample question.Sample, threads int) (table tables.Table, stats *Stats) {
	t.Helper()
	opts := w.options(t, e, digits)
	opts.Question.Sample, opts.Since, opts.Threads = sample, since, threads
	opts.Question.Origins.Column, opts.Question.Destinations.Column = "a", "b"
	stats, err := Run(t.Context(), opts, into(&table))
	if err != nil {
		t.Fatalf("%s: %v", e.name, err)
	}
	return table, stats
}

// night is that of flows.
func (w weighed) night(t *testing.T, e *edgeList, digits int, scores tables.Table) *Since {
	t.Helper()
	return &Since{Prepared: prepared(t, w.options(t, e, digits)), Scores: &scores}
}

// Intervals of flows hold as those of scores do, also of masses whose products are no whole numbers in float64.
func TestChangesOfFlowsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 15))
	for i, graphs := range changedGraphs()[1:5] {
		masses := drawnMasses(r, graphs, []int64{1, 1 << 31}[i%2])
		before, _ := masses.run(t, graphs[0], 0, nil, question.Sample{}, 1)
		now, _ := masses.run(t, graphs[1], 0, nil, question.Sample{}, 1)
		since := masses.night(t, graphs[0], 0, before)
		changesHold(t, graphs, masses, before, now, func(q question.Question) tables.Table {
			table, _ := masses.run(t, graphs[1], 0, since, q.Sample, 1)
			return table
		})
	}
}

// Bits of flows do not depend on threads. Masses of 1 have the changes of scores, twice where edges are undirected.
func TestChangesOfFlowsAreRepeatable(t *testing.T) {
	ones, compared := weighed{slices.Repeat([]int64{1}, 2000), slices.Repeat([]int64{1}, 2000)}, map[bool]int{}
	for _, graphs := range changedGraphs() {
		if slices.ContainsFunc(graphs[0].vertices(), func(id int64) bool { return !slices.Contains(graphs[1].vertices(), id) }) {
			continue // masses would change
		}
		compared[graphs[1].directed]++
		before, _ := ones.run(t, graphs[0], 0, nil, question.Sample{}, 1)
		since, asked := ones.night(t, graphs[0], 0, before), sampled("pairs", 3, 3000)
		want, _ := ones.run(t, graphs[1], 0, since, asked.Sample, 1)
		for _, threads := range []int{2, 3} {
			got, _ := ones.run(t, graphs[1], 0, since, asked.Sample, threads)
			same(t, "threads", got, want)
		}
		each := 2.0
		if graphs[1].directed {
			each = 1
		}
		var first, scores tables.Table
		for day, table := range []*tables.Table{&first, &scores} {
			opts := ones.options(t, graphs[day], 0)
			if day > 0 {
				opts.Question.Sample, opts.Since = asked.Sample, ones.night(t, graphs[0], 0, first)
			}
			if _, err := Run(t.Context(), opts, into(table)); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range EstimateColumns(true)[2:] {
			flows, was := byID(want, name), byID(before, before.Columns[0].Name)
			for id, x := range byID(scores, name) {
				if end := -was[id]; flows[id] != each*x && !(flows[id] <= 0.999*end && each*x <= 0.999*end) {
					t.Errorf("%s: vertex %d: %s is %v, of scores %v", graphs[1].name, id, name, flows[id], x)
				}
			}
		}
	}
	if len(compared) < 2 {
		t.Errorf("graphs compared, by direction: %v", compared)
	}
}

// Widths of nights add up in units of the masses, and so does eps, a share of what is routed. Every way returns flows.
func TestNightsOfFlows(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 16))
	graphs := changedGraphs()[0]
	masses := drawnMasses(r, graphs, 1)
	const digits = 5
	table, _ := masses.run(t, graphs[0], digits, nil, question.Sample{}, 1)
	e, exactly := graphs[0], table
	for i, want := range []struct{ way, sinceWay, confidence string }{
		{"pairs", wayPairs, "0.9"}, {"pairs", wayPairs, "0.8"}, {waySides, waySides, "0.8"}, {wayUnchanged, wayUnchanged, "0.8"}, {wayWhole, wayWhole, "1"},
	} {
		since, sample := masses.night(t, e, digits, table), sampled("exact", 5, 0).Sample
		now := graphs[1]
		if i > 0 {
			added, _ := drawnChanges(r, e, 1, 1)
			now, _ = e.changedBy(r, added, nil)
		}
		if want.way == wayUnchanged {
			now = e
		}
		if since.way = want.way; want.way == "pairs" {
			since.way, sample.Way, sample.Eps = "", "pairs", 0.02
		}
		var stats *Stats
		table, stats = masses.run(t, now, digits, since, sample, 1)
		is, _ := masses.run(t, now, digits, nil, question.Sample{}, 1)
		if wrong := holds(table, byID(exactly, measures.FlowColumn), byID(is, measures.FlowColumn)); wrong != "" {
			t.Errorf("night %d: %s", i, wrong)
		}
		if way, confidence := metadataOf(table, "since_way"), metadataOf(table, "confidence"); way != want.sinceWay || confidence != want.confidence {
			t.Errorf("night %d: %s of confidence %s, want %+v: %+v", i, way, confidence, want, stats.Since)
		}
		half := 0.0
		for v, score := range scoresIn(table) {
			half = max(half, table.Floats(UpperColumn)[v]-score, score-table.Floats(LowerColumn)[v])
		}
		if eps, told := half/stats.Demand.Routed, number(t, metadataOf(table, "eps")); eps > 1.001*told || eps < told/3 || told > 0.02*float64(i+1) {
			t.Errorf("night %d: eps %v, told %v", i, eps, told)
		}
		e, exactly = now, is
	}
}
