package pipeline

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
)

// row are the figures of a row of the table, and how they change.
func rowOf(t *testing.T, table tables.Table, row int) (values, changes [4]float64) {
	t.Helper()
	names := []string{totalBetweennessColumn, largestBetweennessColumn, reachColumn, meanDistanceColumn}
	if table.Column(routedColumn) >= 0 {
		names = []string{totalFlowColumn, largestFlowColumn, routedColumn, meanDistanceColumn}
	}
	for i, name := range names {
		at, beside := table.Column(name), table.Column(name+changeSuffix)
		if at < 0 || beside != at+1 {
			t.Fatalf("columns %v: no %s with its change", table.Columns, name)
		}
		values[i], changes[i] = table.Columns[at].Values.Numbers()[row], table.Columns[beside].Values.Numbers()[row]
	}
	return values, changes
}

// check compares a row with the figures before and after.
func check(t *testing.T, what string, table tables.Table, row int, before, after [4]float64) {
	t.Helper()
	values, changes := rowOf(t, table, row)
	for i := range values {
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, before[0], before[3]) }
		if !near(values[i], after[i]) || !near(changes[i], after[i]-before[i]) {
			t.Errorf("%s: figure %d is %v (%+v), want %v (%+v)", what, i, values[i], changes[i], after[i], after[i]-before[i])
		}
	}
}

// Every edge, every vertex and random sets of them, removed from 400 graphs, leave what the graph without them has.
func TestWhatIf(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 9))
	rows, byBlock, count := 0, 0, 400
	if testing.Short() {
		count = 80
	}
	for i, g := range networks(r, count) {
		name := fmt.Sprintf("network %d (directed %t, lengths %t) %v", i, g.directed, g.lengths, g.rows)
		before := g.expected()
		run := func(removed *Removed, each bool) (table tables.Table) {
			opts := g.options()
			opts.Threads = 1 + i%3
			stats, err := WhatIf(t.Context(), opts, removed, each, into(&table))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			rows += stats.WhatIf.Rows
			byBlock += stats.WhatIf.ByBlock
			return table
		}
		var src, dst []int64
		for _, row := range g.rows {
			if row[0] != row[1] && len(src) < 6 {
				src, dst = append(src, 10*row[0]), append(dst, 10*row[1])
			}
		}
		table := run(RemovedEdges(src, dst), true)
		for row, u := range table.Pairs.Ends[0] {
			u, v := int64(table.IDs.Ints[u])/10, int64(table.IDs.Ints[table.Pairs.Ends[1][row]])/10
			gone := func(a, b int64) bool { return a == u && b == v }
			check(t, fmt.Sprintf("%s without %d-%d", name, u, v), table, row, before, g.without(gone).expected())
		}
		var all []int64
		for _, v := range slices.Concat(src, dst) {
			if !slices.Contains(all, v) && len(all) < 6 {
				all = append(all, v)
			}
		}
		table = run(RemovedVertices(all...), true)
		for row, v := range all {
			gone := func(a, b int64) bool { return 10*a == v || 10*b == v }
			check(t, fmt.Sprintf("%s without %d", name, v/10), table, row, before, g.without(gone).expected())
		}
		if len(src) == 0 {
			continue
		}
		some := map[[2]int64]bool{}
		src, dst = nil, nil
		for range 1 + r.IntN(4) {
			row := g.rows[r.IntN(len(g.rows))]
			if row[0] != row[1] {
				some[[2]int64{row[0], row[1]}] = true
				src, dst = append(src, 10*row[0]), append(dst, 10*row[1])
			}
		}
		gone := func(a, b int64) bool { return some[[2]int64{a, b}] }
		check(t, fmt.Sprintf("%s without %v", name, some), run(RemovedEdges(src, dst), false), 0, before, g.without(gone).expected())
		two := []int64{all[r.IntN(len(all))], all[r.IntN(len(all))]}
		gone = func(a, b int64) bool { return slices.Contains(two, 10*a) || slices.Contains(two, 10*b) }
		table = run(RemovedVertices(two...), false)
		check(t, fmt.Sprintf("%s without %v", name, two), table, 0, before, g.without(gone).expected())
	}
	if byBlock < rows/5 || byBlock > rows*4/5 {
		t.Errorf("%d of %d rows by block: want both ways tried", byBlock, rows)
	}
}

// Rows are the same from edges, a prepared graph and text ids, on any number of threads; before, scores are those of Run.
func TestWhatIfInputs(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 10))
	for _, g := range networks(r, 40) {
		var scores tables.Table
		if _, err := Run(t.Context(), g.options(), into(&scores)); err != nil {
			t.Fatal(err)
		}
		var all []uint64
		all = append(all, scores.IDs.Ints...)
		removed := RemovedVertices(all...)
		var want tables.Table
		inputs := []Options{g.options(), g.options()}
		if !g.weighed() {
			inputs = append(inputs, Options{Question: g.options().Question, Input: Input{Files: tables.Options{Paths: []string{prepared(t, g.options())}}}})
		}
		for i, opts := range inputs {
			opts.Threads = 1 + i
			var got tables.Table
			stats, err := WhatIf(t.Context(), opts, removed, true, into(&got))
			if err != nil {
				t.Fatal(err)
			}
			if stats.WhatIf.Rows != len(all) {
				t.Errorf("%v: statistics %+v", g.rows, stats)
			}
			if i == 0 {
				want = got
			}
			for c := range got.Columns {
				if !slices.Equal(got.Columns[c].Values.Numbers(), want.Columns[c].Values.Numbers()) {
					t.Errorf("%v: input %d: %v, want %v", g.rows, i, got.Columns[c], want.Columns[c])
				}
			}
		}
		values, changes := rowOf(t, want, 0)
		total, largest := 0.0, 0.0
		for _, x := range scoresIn(scores) {
			total += x
			largest = max(largest, x)
		}
		if math.Abs(values[0]-changes[0]-total) > 1e-12*total || math.Abs(values[1]-changes[1]-largest) > 1e-12*largest {
			t.Errorf("%v: before %v and %v, want %v and %v", g.rows, values[0]-changes[0], values[1]-changes[1], total, largest)
		}
	}
}

// What WhatIf has no answer to is refused by name; a removal that the graph does not have, by its row.
func TestWhatIfRefuses(t *testing.T) {
	g := &network{n: 3, rows: [][3]int64{{0, 1, 1}, {1, 2, 1}, {2, 2, 1}}}
	removed := RemovedVertices[int64](10)
	for want, change := range map[string]func(*Options, **Removed, *Sink){
		"no sink":                            func(_ *Options, _ **Removed, s *Sink) { *s = nil },
		"nothing is removed":                 func(_ *Options, r **Removed, _ *Sink) { *r = nil },
		"whatif together with --endpoints":   func(o *Options, _ **Removed, _ *Sink) { o.Question.Endpoints = true },
		`row 2: "5" is no vertex`:            func(_ *Options, r **Removed, _ *Sink) { *r = RemovedVertices(10, 5) },
		`row 1: "0" and "20": the graph has`: func(_ *Options, r **Removed, _ *Sink) { *r = RemovedEdges([]int{0}, []int{20}) },
		`row 1: "20" and "20": the graph`:    func(_ *Options, r **Removed, _ *Sink) { *r = RemovedEdges([]int{20}, []int{20}) },
		`"10" and "0": the graph has no`: func(o *Options, r **Removed, _ *Sink) {
			o.Question.Directed = true
			*r = RemovedEdges([]int{10}, []int{0})
		},
	} {
		var table tables.Table
		opts, without, sink := g.options(), removed, into(&table)
		change(&opts, &without, &sink)
		_, err := WhatIf(t.Context(), opts, without, true, sink)
		class := ErrOptions
		if strings.Contains(want, `"`) {
			class = tables.ErrInput
		}
		if !errors.Is(err, class) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
