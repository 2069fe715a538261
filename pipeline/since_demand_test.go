package pipeline

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// drawnTrips draws a table of trips between ids of which either graph may lack some: few rows or many, with pairs of a vertex
// with itself, repeated pairs, and numbers with a point.
func drawnTrips(t *testing.T, r *rand.Rand) *TripTable {
	t.Helper()
	var rows [][3]string
	origins := 1 + r.IntN(50)
	for range 1 + r.IntN(120) {
		from, to := fmt.Sprint(r.IntN(origins)), fmt.Sprint(r.IntN(50))
		if r.IntN(2) > 0 {
			from, to = to, from
		}
		rows = append(rows, [3]string{from, to, fmt.Sprint(float64(r.IntN(9)) / 2)})
	}
	return tripsFile(t, rows)
}

// sharesOf draws a share of pairs by their distance.
func sharesOf(r *rand.Rand, q *question.Question) {
	q.Decay.Share = []string{"exp:0.7", "power:1.5", "gaussian:2", "table:1=1,3=0.5,7=0.25"}[r.IntN(4)]
	if r.IntN(3) == 0 {
		q.Decay.Floor = 0.05
	}
}

// Scores are updated to those of a run, by every way. A pair counts its trips, the share of its distance, its masses times
// that, or its part of the mass that the source spreads. Graphs are directed or not, by hops or lengths, within a cutoff or
// without, from sources to targets or from all.
func TestSinceOfDemand(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 9))
	ways, kinds := map[string]int{}, []string{"trips", "shares", "masses and shares", "constrained"}
	for i := range 800 {
		q := question.Question{Directed: i%2 > 0}
		if i/2%2 > 0 {
			q.Lengths.Column = "m"
		}
		if r.IntN(3) == 0 {
			q.Cutoff = fmt.Sprint(float64(2+r.IntN(10)) / 2)
			if q.Lengths.Column == "" {
				q.Cutoff = fmt.Sprint(1 + r.IntN(6))
			}
		}
		before := drawnArcs(r, q.Directed)
		now := before.changed(r, q.Lengths.Column != "")
		kind, vertices := kinds[i/4%len(kinds)], map[bool]string{}
		var trips *TripTable
		switch kind {
		case "trips":
			q.Trips.Column = "number"
			trips = drawnTrips(t, r)
		case "constrained":
			q.Gravity.Constrained, q.Gravity.Stay = "origins", []float64{0, 2.5}[r.IntN(2)]
			fallthrough
		case "masses and shares":
			if r.IntN(3) == 0 {
				sharesOf(r, &q)
				break
			}
			vertices[false], vertices[true] = vertexTables(t, r)
			q.Origins.Column, q.Destinations.Column = []string{"a", "", "a"}[i%3], []string{"b", "b", ""}[i%3]
			if r.IntN(3) > 0 {
				sharesOf(r, &q)
			}
		default:
			sharesOf(r, &q)
		}
		var sources, targets *VertexSet
		if kind != "trips" && r.IntN(3) == 0 {
			sources, targets = drawnOf(r, before, now), drawnOf(r, before, now)
		}
		options := func(today bool) Options {
			opts := before.ask(q, sources, targets)
			if today {
				opts = now.ask(q, sources, targets)
			}
			opts.Trips, opts.Files.Vertices = trips, vertices[today]
			return opts
		}
		file := func(today bool) string {
			opts := options(today)
			opts.Trips, opts.Question = nil, question.Question{Directed: q.Directed, Lengths: q.Lengths, Cutoff: q.Cutoff}
			return prepared(t, opts)
		}
		run := func(opts Options) (table tables.Table, stats *Stats) {
			stats, err := Run(t.Context(), opts, into(&table))
			if err != nil {
				t.Fatalf("%d: %v: %v", i, q, err)
			}
			return table, stats
		}
		scores, _ := run(options(false))
		whole, _ := run(options(true))
		want := byID(whole, whole.Columns[0].Name)
		since := &Since{Prepared: file(false), Scores: &scores}
		for _, way := range []string{wayMasses, waySides, ""} {
			since.way = way
			opts := options(true)
			opts.Since = since
			got, stats := run(opts)
			if differs := alike(got, want); differs != "" {
				t.Errorf("%d: %v by %s of %+v: %s", i, q, stats.Since.Way, stats.Since, differs)
			}
			ways[fmt.Sprintf("%s %t %s", kind, q.Directed, stats.Since.Way)]++
		}
		opts := options(true)
		opts.Files, opts.Since = tables.Options{Paths: []string{file(true)}, Vertices: vertices[true]}, since
		got, _ := run(opts)
		if differs := alike(got, want); differs != "" {
			t.Errorf("%d: %v prepared: %s", i, q, differs)
		}
	}
	for _, kind := range kinds {
		for _, way := range []string{"false " + wayMasses, "false " + waySides, "true " + waySides} {
			if ways[kind+" "+way] < 5 && !(kind == "constrained" && way == "false "+wayMasses) {
				t.Errorf("%s, directed, %s: %d runs of %v", kind, way, ways[kind+" "+way], ways)
			}
		}
	}
}
