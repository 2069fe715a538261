package pipeline

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
)

// anyTable draws a table of trips for a graph: rows of many magnitudes, repeated pairs, pairs of a vertex with itself,
// and 0.
func anyTable(r *rand.Rand, g *trips) {
	g.only = nil
	named := map[int]bool{}
	for _, e := range g.edges {
		named[e[0]], named[e[1]] = true, true
	}
	var ids []int
	for v := range g.n {
		if named[v] || g.from[v] != "" {
			ids = append(ids, v)
		}
	}
	g.table = [][3]string{}
	kind := r.IntN(3)
	for range r.IntN(3 * g.n) {
		if len(ids) == 0 {
			break
		}
		count := strconv.Itoa(r.IntN(4))
		switch {
		case kind == 1:
			count = strconv.FormatFloat(r.Float64(), 'f', 1+r.IntN(6), 64)
		case kind == 2 && r.IntN(2) == 0:
			count = strconv.Itoa(1_000_000_000_000 - r.IntN(3))
		}
		g.table = append(g.table, [3]string{strconv.Itoa(ids[r.IntN(len(ids))]), strconv.Itoa(ids[r.IntN(len(ids))]), count})
	}
}

// tripsFile writes the table, and reads it.
func tripsFile(t testing.TB, rows [][3]string) *TripTable {
	t.Helper()
	text := "number,from,to\n"
	for _, row := range rows {
		text += row[2] + "," + row[0] + "," + row[1] + "\n"
	}
	path := filepath.Join(t.TempDir(), "trips.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	table, err := ReadTripTable(t.Context(), arrowio.ReadTrips, tables.Options{Paths: []string{path}}, [3]string{"from", "to", "number"})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func (g *trips) sent() *big.Rat {
	all := new(big.Rat)
	for _, row := range g.table {
		x, _ := new(big.Rat).SetString(row[2])
		all.Add(all, x)
	}
	return all
}

// Flows of trips, for vertices and edges, are those of a list of all paths, to 1e-12 of each, by every walk that suits.
// Trips times distances sum to the flows of edges times their lengths. Trips without a path are listed.
func TestTrips(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 31))
	walks := append([]string{"auto"}, cpu.Walks()...)
	forced, some := map[string]int{}, 0
	for number := range 400 {
		g := anyTrips(random)
		anyTable(random, g)
		vertices, edges, travelled := g.listed("")
		close := func(got float64, want *big.Rat) bool {
			return equals(got, want, g.sent()) || math.Abs(got-floatOf(want)) <= 16*0x1p-110 // the last bit of sums
		}
		for i, walk := range walks {
			if i > 0 && random.IntN(6) > 0 {
				continue
			}
			opts := g.options(t, "")
			opts.Trips = tripsFile(t, g.table)
			opts.Walk, opts.Threads, opts.Verify = walk, 1+random.IntN(2), 2
			opts.Lanes = []int{0, 0, 1, 5}[random.IntN(4)]
			opts.Precision = []Precision{Float64, Float32}[random.IntN(2)]
			var table, ofEdges, lost tables.Table
			if random.IntN(2) == 0 {
				opts.Edges = into(&ofEdges)
			}
			opts.Unrouted = into(&lost)
			stats, err := Run(t.Context(), opts, into(&table))
			if errors.Is(err, engine.ErrWalk) {
				continue
			}
			if err != nil {
				t.Fatalf("graph %d: %+v: %v", number, g, err)
			}
			forced[walk]++
			for v, id := range table.IDs.Ints {
				got := table.Floats("flow")[v]
				if !close(got, vertices[id]) {
					t.Fatalf("graph %d, walk %s: vertex %d: %v, want %v: %+v", number, walk, id, got, vertices[id].FloatString(20), g)
				}
				if got > 0 {
					some++
				}
			}
			if opts.Edges != nil {
				sum := 0.0
				for i, got := range ofEdges.Floats("flow") {
					u, v := int(ofEdges.IDs.Ints[ofEdges.Pairs.Ends[0][i]]), int(ofEdges.IDs.Ints[ofEdges.Pairs.Ends[1][i]])
					want := new(big.Rat).Set(edges[[2]int{u, v}])
					if !g.directed {
						want.Add(want, edges[[2]int{v, u}])
					}
					if !close(got, want) {
						t.Fatalf("graph %d, walk %s: edge %d-%d: %v, want %v: %+v", number, walk, u, v, got, want.FloatString(20), g)
					}
					sum += got * float64(g.shortestOf(u, v))
				}
				if want := floatOf(travelled); math.Abs(sum-want) > 1e-11*want {
					t.Fatalf("graph %d: edges have %v in all, and %v goes so far", number, sum, want)
				}
			}
			g.checkUnrouted(t, &lost, stats.Demand)
		}
	}
	for _, walk := range []string{"auto", "rows", "lengths", "balls", "chain-lengths"} {
		if forced[walk] == 0 {
			t.Errorf("no graph was searched by walk %s", walk)
		}
	}
	if some < 400 {
		t.Errorf("%d flows were more than 0", some)
	}
}

func floatOf(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// shortestOf is the length of the edge between two vertices.
func (g *trips) shortestOf(u, v int) int {
	least := math.MaxInt
	for i, e := range g.edges {
		if e == [2]int{u, v} || !g.directed && e == [2]int{v, u} {
			least = min(least, g.length(i))
		}
	}
	return least
}

// checkUnrouted compares the trips without a path of any length with the table.
func (g *trips) checkUnrouted(t *testing.T, lost *tables.Table, d *Demand) {
	t.Helper()
	want, sums := map[[2]int]float64{}, map[string]float64{}
	for s := range g.n {
		reached := make([]bool, g.n)
		for stack := []int{s}; len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if reached[v] {
				continue
			}
			reached[v] = true
			for _, e := range g.edges {
				if e[0] == v {
					stack = append(stack, e[1])
				} else if e[1] == v && !g.directed {
					stack = append(stack, e[0])
				}
			}
		}
		for v := range g.n {
			x, how := floatOf(g.between(s, v)), "routed"
			if s == v {
				how = "self"
			} else if !reached[v] {
				how = "no path"
			}
			sums[how] += x
			if how != "routed" && x > 0 {
				want[[2]int{s, v}] = x
			}
		}
	}
	if d.Trips.Unrouted != len(want) {
		t.Fatalf("%d pairs on no path, want %d", d.Trips.Unrouted, len(want))
	}
	for i, x := range lost.Floats("number") {
		pair := [2]int{int(lost.IDs.Ints[lost.Pairs.Ends[0][i]]), int(lost.IDs.Ints[lost.Pairs.Ends[1][i]])}
		if math.Abs(want[pair]-x) > 1e-12*x || x == 0 {
			t.Fatalf("on no path: %v trips of %v, want %v", x, pair, want[pair])
		}
		delete(want, pair)
	}
	if len(want) > 0 {
		t.Fatalf("on no path, and not listed: %v", want)
	}
	for name, got := range map[string]float64{"self": d.Self, "no path": d.NoPath, "routed": d.Routed} {
		if math.Abs(got-sums[name]) > 1e-12*got {
			t.Fatalf("%s: %v trips, want %v", name, got, sums[name])
		}
	}
}

// Rows in another order, threads, instruction sets and shards change no bit; rows of equal pairs add up; parts of two
// tables are not merged.
func TestTripsInParts(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 31))
	for range 60 {
		g := anyTrips(random)
		anyTable(random, g)
		if len(g.table) == 0 {
			continue
		}
		run := func(rows [][3]string, change func(o *Options)) (table tables.Table) {
			opts := g.options(t, "")
			opts.Trips = tripsFile(t, rows)
			change(&opts)
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatal(err)
			}
			return table
		}
		shard := func(i int) func(*Options) { return func(o *Options) { o.Shard = Shard{Mine: []int{i}, Of: 3} } }
		want := run(g.table, func(o *Options) { o.Threads = 1 })
		parts := []tables.Table{run(g.table, shard(0)), run(g.table, shard(1)), run(g.table, shard(2))}
		merged, err := tryMerge(parts, Output{})
		if err != nil {
			t.Fatal(err)
		}
		var halves [][3]string
		for _, row := range g.table {
			x, _ := new(big.Rat).SetString(row[2])
			half := x.Mul(x, big.NewRat(1, 2)).FloatString(20)
			halves = append(halves, [3]string{row[0], row[1], half}, [3]string{row[0], row[1], half})
		}
		permuted := append([][3]string{}, g.table...)
		for _, rows := range [][][3]string{halves, permuted} {
			random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		}
		for what, got := range map[string]tables.Table{"shards": merged, "set go": run(g.table, func(o *Options) { o.Set, o.Threads = "go", 3 }), "rows permuted": run(permuted, func(*Options) {})} {
			if !sameBits(columnOf(t, &got, "flow"), columnOf(t, &want, "flow")) {
				t.Errorf("%s: %v, want %v", what, got.Floats("flow"), want.Floats("flow"))
			}
		}
		other := run(halves, func(*Options) {}) // of another unit: a tenth
		for v, x := range other.Floats("flow") {
			if y := want.Floats("flow")[v]; math.Abs(x-y) > 1e-13*y {
				t.Errorf("rows in two: vertex %d: %v, want %v", v, x, y)
			}
		}
		parts[2] = run(append(permuted, [3]string{g.table[0][0], g.table[0][1], "1"}), shard(2))
		if _, err := tryMerge(parts, Output{}); !errors.Is(err, ErrPartial) {
			t.Errorf("parts of two tables were merged: %v", err)
		}
	}
}

// A table of ones between all vertices gives ordered scores, and one of products the flows of masses, with all their
// reductions.
func TestTripsOfAll(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 31))
	for _, e := range bothQuestions(append(graphs(random, 1+20/testgraphs.OneIn), listed("grid", testgraphs.Grid(7, 9)))) {
		for _, lengths := range []bool{false, true} {
			var plain, table tables.Table
			if _, err := Run(t.Context(), e.asText(lengths), into(&plain)); err != nil {
				t.Fatal(err)
			}
			if len(plain.IDs.Ints) > 150 {
				continue
			}
			var from, to, ones []int64
			for _, s := range plain.IDs.Ints {
				for _, d := range plain.IDs.Ints {
					from, to, ones = append(from, int64(s)), append(to, int64(d)), append(ones, 1)
				}
			}
			opts := e.asText(lengths)
			opts.Trips = TripTableOf(from, to, ones)
			if _, err := Run(t.Context(), opts, into(&table)); err != nil {
				t.Fatal(err)
			}
			each := 2.0
			if e.directed {
				each = 1
			}
			for v, x := range table.Floats("flow") {
				if want := each * scoresIn(plain)[v]; math.Abs(x-want) > 1e-12*want {
					t.Fatalf("%s, lengths %v: vertex %d: %v, want %v", e.name, lengths, v, x, want)
				}
			}
		}
	}
	for range 100 {
		g := anyTrips(random)
		g.only = nil
		var masses, table tables.Table
		if _, err := Run(t.Context(), g.options(t, "ab"), into(&masses)); err != nil {
			t.Fatal(err)
		}
		rows := [][3]string{}
		for _, s := range masses.IDs.Ints {
			for _, v := range masses.IDs.Ints {
				product := new(big.Rat).Mul(mass(g.from, int(s), true), mass(g.to, int(v), true))
				rows = append(rows, [3]string{fmt.Sprint(s), fmt.Sprint(v), product.FloatString(12)})
			}
		}
		opts := g.options(t, "")
		opts.Trips = tripsFile(t, rows)
		if _, err := Run(t.Context(), opts, into(&table)); err != nil {
			t.Fatal(err)
		}
		most := floatOf(g.products("ab"))
		for v, x := range table.Floats("flow") {
			if want := masses.Floats("flow")[v]; math.Abs(x-want) > 1e-12*want+most*0x1p-40 { // trips with too many digits are rounded
				t.Fatalf("vertex %d: %v, from masses %v: %+v", v, x, want, g)
			}
		}
	}
}

// Options that a table of trips excludes are refused by name.
func TestTripsRefused(t *testing.T) {
	g := &trips{n: 3, edges: [][2]int{{0, 1}, {1, 2}}, from: []string{"1", "1", "1"}, to: []string{"1", "1", "1"}}
	one := [3]string{"0", "2", "1"}
	for want, change := range map[string]func(*Options){
		"has no betweenness":                              func(o *Options) { o.Question.Measures = []string{measures.Degree} },
		"rows do not say which graph their ids are of":    func(o *Options) { o.Files.By = []string{"km"} },
		"there is no table of them":                       func(o *Options) { o.Trips, o.Question.Trips.Column = nil, "x" },
		"there is no table of trips":                      func(o *Options) { o.Trips, o.Unrouted = nil, into(new(tables.Table)) },
		`row 2: "x" is no vertex of the graph`:            func(o *Options) { o.Trips = tripsFile(t, [][3]string{one, {"0", "x", "1"}}) },
		`row 2: "-1" is not a finite number of 0 or more`: func(o *Options) { o.Trips = tripsFile(t, [][3]string{one, {"0", "1", "-1"}}) },
	} {
		opts := g.options(t, "")
		opts.Trips = tripsFile(t, [][3]string{one})
		change(&opts)
		if _, err := Run(t.Context(), opts, into(new(tables.Table))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	opts := g.options(t, "")
	opts.Trips = tripsFile(t, [][3]string{one})
	if _, err := Prepare(t.Context(), opts, nil); !errors.Is(err, ErrOptions) {
		t.Errorf("prepare: %v", err)
	}
}
