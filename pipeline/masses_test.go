package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

// Flows are those of a list of all paths, to 1e-12 of each, by every walk that suits. The flows of edges times their
// lengths sum to the travelled distance.
func TestFlows(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 31))
	forced := map[string]int{}
	for range 400 {
		g := anyTrips(random)
		sides := []string{"ab", "a", "b"}[random.IntN(3)]
		vertices, edges, travelled := g.listed(sides)
		all := g.products(sides)
		var edgeTable tables.Table
		g.byWalks(t, random, forced, sides, func(o *Options) {
			if edgeTable = (tables.Table{}); random.IntN(2) == 0 {
				o.Edges = into(&edgeTable)
			}
		}, func(walk string, table *tables.Table, stats *Stats) {
			g.holdColumn(t, walk, table, "flow", 1, vertices, all)
			if edgeTable.Pairs == nil {
				return
			}
			g.holdEdges(t, walk, &edgeTable, "flow", 1, edges, all)
			sum := 0.0
			for i, got := range edgeTable.Floats("flow") {
				sum += got * float64(g.shortestOf(int(edgeTable.IDs.Ints[edgeTable.Pairs.Ends[0][i]]), int(edgeTable.IDs.Ints[edgeTable.Pairs.Ends[1][i]])))
			}
			if !equals(sum, travelled, all) {
				t.Errorf("edges carry %v, and %v is travelled: %+v", sum, travelled.FloatString(20), g)
			}
			d := stats.Demand
			products := new(big.Rat)
			for s := range g.n {
				if g.only != nil && !slices.Contains(g.only, s) {
					continue
				}
				for u := range g.n {
					if here := func(v int) bool { return slices.Contains(table.IDs.Ints, uint64(v)) }; here(s) && here(u) {
						products.Add(products, new(big.Rat).Mul(mass(g.from, s, strings.Contains(sides, "a")), mass(g.to, u, strings.Contains(sides, "b"))))
					}
				}
			}
			if !equals(d.Routed+d.NoPath+d.Self, products, all) {
				t.Errorf("demand %+v, of %v: %+v", d, products.FloatString(9), g)
			}
		})
	}
	holdWalks(t, forced, "auto", "rows", "lengths", "chains", "chain-lengths", "acyclic", "balls")
}

// tabled returns the options of a run of the graph with the masses of a table.
func (e *edgeList) tabled(t testing.TB, header string, rows ...string) Options {
	t.Helper()
	var edges strings.Builder
	edges.WriteString("src,dst\n")
	for i := range e.src {
		fmt.Fprintf(&edges, "%d,%d\n", e.src[i], e.dst[i])
	}
	path := filepath.Join(t.TempDir(), "vertices.csv")
	if err := os.WriteFile(path, []byte(header+"\n"+strings.Join(rows, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	opts := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Stdin: strings.NewReader(edges.String()), Format: tables.FormatCSV, Vertices: path}}}
	opts.Engine, opts.Question.Directed = EngineCPU, e.directed
	return opts
}

// Larger graphs, by every walk that suits: the textbook's flows.
func TestFlowsOfLargerGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	list := append(graphs(random, 1+30/testgraphs.OneIn), deviceGraph())
	list = append(list, listed("grid", testgraphs.Grid(40, 40)), listed("band", testgraphs.Band(300, 7, 3)))
	for _, e := range bothQuestions(list) {
		from, to, rows := map[int64]float64{}, map[int64]float64{}, []string(nil)
		for _, v := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.src, e.dst)))) {
			scale := []float64{1, 1, 1e9}[random.IntN(3)]
			if from[v] = float64(random.IntN(20)) * scale; random.IntN(3) == 0 {
				from[v] = 0
			}
			to[v] = float64(random.IntN(8)) / 4
			rows = append(rows, fmt.Sprintf("%d,%v,%v", v, int64(from[v]), to[v]))
		}
		want := e.flows(from, to)
		for _, walk := range append([]string{"auto"}, cpu.Walks()...) {
			opts := e.tabled(t, "id,a,b", rows...)
			opts.Question.Origins.Column, opts.Question.Destinations.Column, opts.Walk = "a", "b", walk
			var table tables.Table
			if _, err := Run(t.Context(), opts, into(&table)); errors.Is(err, engine.ErrWalk) {
				continue
			} else if err != nil {
				t.Fatalf("%s, walk %s: %v", e.name, walk, err)
			}
			for v, id := range table.IDs.Ints {
				if got, want := table.Floats("flow")[v], want[int64(id)]; !(math.Abs(got-want) <= 2e-12*want) {
					t.Fatalf("%s, walk %s: vertex %d: %v, want %v", e.name, walk, id, got, want)
				}
			}
		}
	}
}

// Masses of 1 give the bits of the plain score over ordered pairs, in any order of rows.
func TestFlowsOfOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for _, e := range bothQuestions(graphs(random, 1+60/testgraphs.OneIn)) {
		var rows []string
		for _, v := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.src, e.dst)))) {
			rows = append(rows, fmt.Sprint(v, ",1,1.0,", random.IntN(9), ",", random.Float64()))
		}
		run := func(a, b string) (scores map[uint64]float64, edges []float64) {
			opts := e.tabled(t, "id,one,uno,few,any", rows...)
			opts.Question.Origins.Column, opts.Question.Destinations.Column = a, b
			var table, list tables.Table
			opts.Edges = into(&list)
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatalf("%s: %v", e.name, err)
			}
			scores = map[uint64]float64{}
			for v, x := range table.Columns[0].Values.Numbers() {
				scores[table.IDs.Ints[v]] = x
			}
			return scores, list.Columns[0].Values.Numbers()
		}
		plain, plainEdges := run("", "")
		each := 2.0
		if e.directed {
			each = 1
		}
		for _, sides := range [][2]string{{"one", "uno"}, {"one", ""}, {"", "one"}} {
			ones, edges := run(sides[0], sides[1])
			for v, x := range plain {
				if ones[v] != each*x {
					t.Errorf("%s: vertex %d has %v with masses of 1, and %v without", e.name, v, ones[v], x)
				}
			}
			for i, x := range plainEdges {
				if edges[i] != each*x {
					t.Errorf("%s: edge %d has %v with masses of 1, and %v without", e.name, i, edges[i], x)
				}
			}
		}
	}
}

// The order of the rows of the vertex table changes no mass and no closed form, and scores by rounding only.
func TestFlowsOfPermutedRows(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 40 {
		g := anyTrips(random)
		g.cutoff = 0
		for v := range g.from {
			g.from[v], g.to[v] = fmt.Sprint(random.Float64()), fmt.Sprint(1/(1+random.Float64()))
		}
		var first map[uint64]float64
		var demand Demand
		for range 4 {
			g.seed++
			var table tables.Table
			stats, err := Run(t.Context(), g.options(t, "ab"), into(&table))
			if err != nil {
				t.Fatal(err)
			}
			scores := map[uint64]float64{}
			for v, x := range table.Floats("flow") {
				scores[table.IDs.Ints[v]] = x
			}
			if first == nil {
				first, demand = scores, *stats.Demand
			}
			if d := *stats.Demand; *d.Origins != *demand.Origins || *d.Destinations != *demand.Destinations || d.Routed != demand.Routed || d.NoPath != demand.NoPath || d.Self != demand.Self {
				t.Fatalf("demand %+v, and %+v in another order of rows", d, demand)
			}
			for v, x := range scores {
				if math.Abs(first[v]-x) > 1e-14*x {
					t.Fatalf("vertex %d: %v, and %v in another order of rows: %+v", v, x, first[v], g)
				}
			}
		}
	}
}

// Shards, merged in any order, and resumed runs give the bits of one run. Parts with other masses are refused.
func TestFlowsInParts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, directed := range []bool{false, true} {
		e := deviceGraph()
		e.directed = directed
		var rows, others []string
		for v := range 400 {
			rows, others = append(rows, fmt.Sprint(v, ",", random.IntN(1<<40), ",", random.Float64())), append(others, fmt.Sprint(v, ",", random.IntN(1<<40), ",1"))
		}
		options := func(rows []string) Options {
			opts := e.tabled(t, "id,a,b", rows...)
			opts.Question.Origins.Column, opts.Question.Destinations.Column = "a", "b"
			return opts
		}
		run := func(opts Options) (table, edges tables.Table) {
			if !opts.partial() {
				opts.Edges = into(&edges)
			}
			opts.Question.Edges = true
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatal(err)
			}
			return table, edges
		}
		want, wantEdges := run(options(rows))
		var parts []tables.Table
		for i := range 3 {
			opts := options(rows)
			opts.Shard = Shard{Mine: []int{i}, Of: 3}
			part, _ := run(opts)
			parts = append(parts, part)
		}
		slices.Reverse(parts)
		var edges tables.Table
		merged, err := tryMerge(slices.Clone(parts), Output{Edges: into(&edges)})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(merged.Floats("flow"), want.Floats("flow")) || !slices.Equal(edges.Floats("flow"), wantEdges.Floats("flow")) {
			t.Error("merged shards differ from one run")
		}
		opts := options(rows)
		opts.Resume = &parts[0]
		if resumed, _ := run(opts); !slices.Equal(resumed.Floats("flow"), want.Floats("flow")) {
			t.Error("a run that goes on differs from one run")
		}
		for _, text := range []string{metadata(want, "flow_unit"), metadata(merged, "flow_unit"), metadata(edges, "flow_unit")} {
			if text != "a x b" {
				t.Errorf("flow_unit %q", text)
			}
		}
		opts = options(others)
		opts.Question.Edges, opts.Partial, opts.Shard = true, true, Shard{Mine: []int{1}, Of: 3}
		other, err := tables.Table{}, error(nil)
		if _, err = Run(t.Context(), opts, into(&other)); err != nil {
			t.Fatal(err)
		}
		if _, err := tryMerge([]tables.Table{parts[0], other}, Output{Partial: true}); !errors.Is(err, ErrPartial) {
			t.Errorf("parts of other masses: %v", err)
		}
	}
}

func metadata(t tables.Table, key string) string {
	for _, entry := range t.Metadata {
		if entry.Key == key {
			return entry.Value
		}
	}
	return ""
}

// A wrong mass is an error that names the row. Questions without an answer are refused by name.
func TestMassesAreRefused(t *testing.T) {
	e := listed("path", testgraphs.Path(0, 4))
	for value, want := range map[string]string{
		"-1": `column "a": row 2: "-1" is not a finite number of 0 or more`, "nan": "row 2", "inf": "row 2", "": `column "a": row 2: null`, "1e999": "row 2",
		"x": "row 2", "0x1": "row 2", "--0": "row 2", "1e-999": "row 2",
	} {
		opts := e.tabled(t, "id,a", "3,5", "1,"+value)
		opts.Question.Origins.Column = "a"
		var table tables.Table
		if _, err := Run(t.Context(), opts, into(&table)); !errors.Is(err, tables.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", value, err)
		}
	}
	for _, value := range []string{"0", "-0", "0.00", "0e7", "+0"} {
		opts := e.tabled(t, "id,a", "3,5", "1,"+value)
		opts.Question.Origins.Column = "a"
		var table tables.Table
		if stats, err := Run(t.Context(), opts, into(&table)); err != nil || stats.Demand.Origins.Zero != 1 || stats.Demand.Origins.Missing != 3 {
			t.Errorf("%q: %v, %+v", value, err, stats.Demand)
		}
	}
	asked := func(change func(*Options)) error {
		opts := e.tabled(t, "id,a", "3,5", "1,2", "3,5")
		opts.Question.Origins.Column = "a"
		change(&opts)
		var table tables.Table
		_, err := Run(context.Background(), opts, into(&table))
		return err
	}
	for want, change := range map[string]func(*Options){
		"row 3 names a vertex again":                 func(*Options) {},
		"there is no vertex table":                   func(o *Options) { o.Files.Vertices = "" },
		`no column "b"`:                              func(o *Options) { o.Question.Destinations.Column = "b" },
		"has no betweenness":                         func(o *Options) { o.Question.Measures = []string{measures.Closeness} },
		"by whose paths flows go":                    func(o *Options) { o.Question.Measures = []string{measures.Degree} },
		"the output has its own column of this name": func(o *Options) { o.Files.Keep = []string{"flow"} },
	} {
		if err := asked(change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
