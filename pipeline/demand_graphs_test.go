package pipeline

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
)

// together is several graphs with equal vertices, whose names have two columns.
type together struct {
	*trips // the question
	graphs []*trips
}

// names are those of a graph: an integer, and a text that others share.
func (together) names(graph int) string { return fmt.Sprintf("%d,%c", 7*(graph/2), 'x'+rune(graph%2)) }

// anyTogether draws two to four graphs, of one question.
func anyTogether(r *rand.Rand, tabled bool) together {
	all := together{trips: anyTrips(r)}
	all.only = nil
	small := func(number *string) { // else sums of all graphs have too many digits, and are rounded
		if len(*number) >= 12 {
			*number = (*number)[:3]
		}
	}
	for range 2 + r.IntN(3) {
		g := anyTrips(r)
		for all.lengths != nil && len(g.lengths) < len(g.edges) {
			g.lengths = append(g.lengths, 1+r.IntN(3))
		}
		if all.lengths == nil {
			g.lengths = nil
		}
		if tabled {
			anyTable(r, g)
		}
		for i := range g.table {
			small(&g.table[i][2])
		}
		for v := range g.n {
			small(&g.from[v])
			small(&g.to[v])
		}
		g.directed, g.cutoff, g.endpoints, g.only = all.directed, all.cutoff, all.endpoints, nil
		all.graphs = append(all.graphs, g)
	}
	return all
}

// options returns options that read all graphs as one table of edges, with one table of vertices, and one of trips.
func (all together) options(t *testing.T, sides string) Options {
	t.Helper()
	opts := all.trips.options(t, sides)
	edges, vertices, table := "n,k,src,dst,km\n", "a,id,b,k,n\n", "number,k,n,from,to\n"
	for i, g := range all.graphs {
		names := all.names(i)
		n, k, _ := strings.Cut(names, ",")
		for j, e := range g.edges {
			edges += fmt.Sprintf("%s,%d,%d,%d\n", names, e[0], e[1], g.length(j))
		}
		for v := range g.n {
			if g.from[v] != "" {
				vertices += fmt.Sprintf("%s,%d,%s,%s,%s\n", g.from[v], v, g.to[v], k, n)
			}
		}
		for _, row := range g.table {
			table += fmt.Sprintf("%s,%s,0%s,%s,%s\n", row[2], k, n, row[0], row[1]) // an integer in another spelling
		}
	}
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	by := []string{"n", "k"}
	opts.Files.Stdin, opts.Files.By, opts.Files.Vertices = strings.NewReader(edges), by, write(vertices)
	if all.graphs[0].table != nil {
		file := tables.Options{Paths: []string{write(table)}, By: by}
		trips, err := ReadTripTable(t.Context(), arrowio.ReadTrips, file, [3]string{"from", "to", "number"})
		if err != nil {
			t.Fatal(err)
		}
		opts.Trips = trips
	}
	return opts
}

// Of several graphs in one run, each has the flows of a list of its paths, by masses, trips, decay and with constrained
// origins, and the same bits from shards.
func TestFlowsOfGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 31))
	met := map[string]int{}
	for number := range 400 / testgraphs.OneIn {
		kind := []string{"masses", "trips", "decay", "constrained"}[number%4]
		all := anyTogether(random, kind == "trips")
		sides := "ab"
		switch kind {
		case "trips":
			sides = ""
		case "decay", "constrained":
			all.spreads = kind == "constrained"
			all.decay, all.share = decays(random)
		}
		run := func(change func(*Options)) (table tables.Table) {
			opts := all.options(t, sides)
			change(&opts)
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatalf("%s: %v: %+v", kind, err, all)
			}
			return table
		}
		table := run(func(*Options) {})
		sent := new(big.Rat)
		for _, g := range all.graphs {
			g.spreads, g.stay, g.decay, g.share, g.endpoints = all.spreads, all.stay, all.decay, all.share, all.endpoints
			if kind == "trips" {
				sent.Add(sent, g.sent())
			} else {
				sent.Add(sent, g.products(sides))
			}
		}
		if !all.spreads && kind != "trips" { // room for pairs between graphs, too
			from, to := new(big.Rat), new(big.Rat)
			for _, g := range all.graphs {
				for v := range g.n {
					from.Add(from, mass(g.from, v, true))
					to.Add(to, mass(g.to, v, true))
				}
			}
			sent.Mul(from, to)
		}
		wants := make([][]*big.Rat, len(all.graphs))
		for i, g := range all.graphs {
			wants[i], _, _ = g.listed(sides)
		}
		for v, got := range table.Floats("flow") {
			graph := table.Graph[v]
			names := strconv.FormatUint(table.By[0].Keys.Ints[graph], 10) + "," + table.By[1].Type.Format(table.By[1].Keys, int(graph))
			i := slices.IndexFunc(all.graphs, func(g *trips) bool { return all.names(slices.Index(all.graphs, g)) == names })
			want := wants[i][table.IDs.Ints[v]]
			if !equals(got, want, sent) {
				t.Fatalf("%s: graph %s, vertex %d: %v, want %s: %+v", kind, names, table.IDs.Ints[v], got, want.FloatString(20), all.graphs[i])
			}
			if got > 0 {
				met[kind]++
			}
		}
		merged := inShards(t, run)
		if !sameBits(columnOf(t, &merged, "flow"), columnOf(t, &table, "flow")) {
			t.Errorf("%s: shards have %v, want %v", kind, merged.Floats("flow"), table.Floats("flow"))
		}
	}
	for _, kind := range []string{"masses", "trips", "decay", "constrained"} {
		if met[kind] == 0 {
			t.Errorf("%s: no flow was more than 0", kind)
		}
	}
}

// A row of trips that names no graph, or an id of another type, is refused with its place.
func TestTripsOfNoGraph(t *testing.T) {
	one := func() *trips {
		return &trips{n: 2, edges: [][2]int{{0, 1}}, from: []string{"1", "1"}, to: []string{"1", "1"}, table: [][3]string{}}
	}
	for want, row := range map[string]struct {
		graph int
		row   [3]string
	}{
		`row 2: "x" is no vertex of the graph n="00" k="y"`: {1, [3]string{"1", "x", "3"}},
		`row 2: there is no graph n="07" k="x"`:             {2, [3]string{"0", "1", "3"}},
	} {
		two := one()
		two.n, two.edges, two.from, two.to = 3, [][2]int{{1, 2}}, []string{"", "1", "1"}, []string{"", "1", "1"}
		all := together{trips: one(), graphs: []*trips{one(), two}}
		all.graphs[0].table = append(all.graphs[0].table, [3]string{"0", "1", "1"})
		opts := all.options(t, "")
		if row.graph < 2 {
			all.graphs[row.graph].table = append(all.graphs[row.graph].table, row.row)
		} else {
			all.graphs = append(all.graphs, one())
			all.graphs[2].table = append(all.graphs[2].table, row.row)
		}
		opts.Trips = all.options(t, "").Trips
		if _, err := Run(t.Context(), opts, into(new(tables.Table))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
