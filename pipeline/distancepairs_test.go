package pipeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/internal/testgraphs"
)

// The rows of a table of pairs are those of its origins and destinations, whichever side is searched from.
func TestDistancesOfPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 11))
	swapped := 0
	for round := range 60 {
		n := 3 + r.IntN(30)
		edges := testgraphs.Random(r, n, n, 1+r.IntN(3*n))
		opts := Options{Compute: Compute{Engine: EngineCPU, Threads: 1 + round%3}, Input: Input{Source: edgesSource(edges, nil)}}
		opts.Question.Directed = round%2 == 0
		var present []int64
		for _, e := range edges {
			present = append(present, int64(e[0]), int64(e[1]))
		}
		pick := func(of int) int64 { return present[r.IntN(min(of, len(present)))] }
		var origins, destinations, trips []int64
		asked := map[string]bool{}
		for range 1 + r.IntN(40) {
			origins, destinations, trips = append(origins, pick(1+r.IntN(40))), append(destinations, pick(3)), append(trips, 1)
			asked[fmt.Sprint(origins[len(trips)-1], " ", destinations[len(trips)-1])] = true
		}
		all := opts
		all.Sources = VertexSetOf(present...)
		rows, _, err := distanceRows(t.Context(), t, all, true)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, row := range rows {
			fields := strings.Fields(row)
			if asked[fields[0]+" "+fields[1]] {
				want = append(want, row)
			}
		}
		opts.Trips = TripTableOf(origins, destinations, trips)
		got, stats, err := distanceRows(t.Context(), t, opts, true)
		if err != nil {
			t.Fatal(err)
		}
		if stats.Targets.Vertices < stats.Sources.Vertices && !opts.Question.Directed {
			swapped++
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: rows %v, want %v", round, got, want)
		}
	}
	if swapped < 10 {
		t.Errorf("%d tables were searched from their destinations", swapped)
	}
	opts := Options{Input: Input{Source: edgesSource([]testgraphs.Edge{{1, 2}}, nil)}, Trips: nil}
	opts.Trips, opts.Sources = TripTableOf([]int64{1}, []int64{2}, []int64{1}), VertexSetOf(int64(1))
	if _, _, err := distanceRows(t.Context(), t, opts, false); err == nil {
		t.Error("sources beside a table of pairs")
	}
}
