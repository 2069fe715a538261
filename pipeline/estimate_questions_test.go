package pipeline

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// estimated is a question about a file.
type estimated struct {
	name string
	opts Options
	csv  string
	ways []string
	all  float64 // ordered pairs that eps is a share of; 0: n(n-1), or with masses all that is routed

	vertices string // table of vertices with masses; "": none
	trips    string // table of trips; "": none
}

// from makes the options read the question's tables.
func (a estimated) from(t *testing.T, opts *Options) {
	t.Helper()
	opts.Read, opts.Files.Stdin, opts.Files.Src, opts.Files.Dst, opts.Files.Format = arrowio.Read, strings.NewReader(a.csv), "src", "dst", tables.FormatCSV
	if a.vertices != "" {
		opts.Files.Vertices = filepath.Join(t.TempDir(), "vertices.csv")
		if err := os.WriteFile(opts.Files.Vertices, []byte(a.vertices), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if a.trips != "" {
		path := filepath.Join(t.TempDir(), "trips.csv")
		if err := os.WriteFile(path, []byte(a.trips), 0o666); err != nil {
			t.Fatal(err)
		}
		var err error
		if opts.Trips, err = ReadTripTable(t.Context(), arrowio.ReadTrips, tables.Options{Paths: []string{path}, By: opts.Files.By}, TripColumns()); err != nil {
			t.Fatal(err)
		}
	}
}

func (a estimated) run(t *testing.T, opts Options, change func(*Options)) (tables.Table, *Stats) {
	t.Helper()
	a.from(t, &opts)
	opts.Engine, opts.Lanes = EngineCPU, 8
	change(&opts)
	var table tables.Table
	stats, err := Run(t.Context(), opts, into(&table))
	if err != nil {
		t.Fatalf("%s: %v", a.name, err)
	}
	return table, stats
}

// csvOf has columns src, dst, km and g; g is 1 for the first edges, then 2.
func csvOf(r *rand.Rand, edges []testgraphs.Edge, first int) string {
	var text strings.Builder
	text.WriteString("src,dst,km,g\n")
	for i, e := range edges {
		graph := 1
		if i >= first {
			graph = 2
		}
		fmt.Fprintf(&text, "%d,%d,%d,%d\n", e[0], e[1], 1+r.IntN(4), graph)
	}
	return text.String()
}

// questions returns questions about graphs with sampled blocks: with folded vertices, twins, and
// sources of equal out-arcs.
func questions() []estimated {
	r := rand.New(rand.NewPCG(17, 4))
	edges := testgraphs.Random(r, 300, 300, 500)
	for v := range uint32(100) { // leaves
		edges = append(edges, testgraphs.Edge{400 + v, r.Uint32N(300)})
	}
	for v := range uint32(40) { // twins
		a, b := r.Uint32N(300), r.Uint32N(300)
		edges = append(edges, testgraphs.Edge{600 + 2*v, a}, testgraphs.Edge{600 + 2*v, b}, testgraphs.Edge{601 + 2*v, a}, testgraphs.Edge{601 + 2*v, b})
	}
	arcs := slices.Clone(edges)
	for _, e := range edges { // most go both ways
		if r.IntN(3) > 0 {
			arcs = append(arcs, testgraphs.Edge{e[1], e[0]})
		}
	}
	small := testgraphs.Random(r, 40, 40, 30)
	n := 0
	seen := map[uint32]bool{}
	for _, e := range edges {
		seen[e[0]], seen[e[1]] = true, true
	}
	n = len(seen)
	var from, to, some []int
	for _, v := range slices.Sorted(maps.Keys(seen)) {
		if v < 150 {
			from = append(from, int(v))
		}
		if v%2 == 0 {
			to = append(to, int(v))
		}
		if v%3 == 0 {
			some = append(some, int(v))
		}
	}
	common := 0
	for _, v := range from {
		if v%2 == 0 {
			common++
		}
	}
	set := func(ids []int) *VertexSet { return VertexSetOf(ids...) }
	undirected, directed := csvOf(r, edges, len(edges)), csvOf(r, arcs, len(arcs))
	two := csvOf(r, append(slices.Clone(edges), small...), len(edges))
	byAny := []string{"sources-raw", "pairs"}
	both := []string{"sources", "sources-raw", "pairs"}
	of := func(change func(o *Options)) (o Options) { change(&o); return o }
	s := func(x []int) float64 { return float64(len(x)) }
	plain := []estimated{
		{"cutoff", of(func(o *Options) { o.Question.Cutoff = "4" }), undirected, both, 0, "", ""},
		{"endpoints", of(func(o *Options) { o.Question.Endpoints = true }), undirected, both, 0, "", ""},
		{"sources and targets", of(func(o *Options) { o.Sources, o.Targets = set(from), set(to) }), undirected, byAny, s(from)*s(to) - float64(common), "", ""},
		{"sources", of(func(o *Options) { o.Sources = set(from) }), undirected, byAny, s(from) * float64(n-1), "", ""},
		{"one set, cutoff", of(func(o *Options) { o.Sources, o.Targets, o.Question.Cutoff = set(some), set(some), "5" }), undirected, both, s(some) * (s(some) - 1), "", ""},
		{"by graph", of(func(o *Options) { o.Files.By = []string{"g"} }), two, both, float64(n) * float64(n-1), "", ""},
		{"lengths", of(func(o *Options) { o.Question.Lengths.Column = "km" }), undirected, byAny, 0, "", ""},
		{"lengths, cutoff", of(func(o *Options) { o.Question.Lengths.Column, o.Question.Cutoff = "km", "9" }), undirected, byAny, 0, "", ""},
		{"lengths, targets, endpoints", of(func(o *Options) {
			o.Question.Lengths.Column, o.Targets, o.Question.Endpoints = "km", set(to), true
		}), undirected, byAny, s(to) * float64(n-1), "", ""},
		{"directed", of(func(o *Options) { o.Question.Directed = true }), directed, byAny, 0, "", ""},
		{"directed, cutoff", of(func(o *Options) { o.Question.Directed, o.Question.Cutoff = true, "5" }), directed, byAny, 0, "", ""},
		{"directed, endpoints", of(func(o *Options) { o.Question.Directed, o.Question.Endpoints = true, true }), directed, byAny, 0, "", ""},
		{"directed, sources and targets", of(func(o *Options) { o.Question.Directed, o.Sources, o.Targets = true, set(from), set(to) }), directed, byAny, s(from)*s(to) - float64(common), "", ""},
		{"directed, lengths", of(func(o *Options) { o.Question.Directed, o.Question.Lengths.Column = true, "km" }), directed, byAny, 0, "", ""},
		{"directed, by graph", of(func(o *Options) { o.Question.Directed, o.Files.By = true, []string{"g"} }), csvOf(r, append(slices.Clone(arcs), small...), len(arcs)), byAny, float64(n) * float64(n-1), "", ""},
	}
	return append(plain, withMasses(r, slices.Sorted(maps.Keys(seen)), plain)...)
}

// withMasses are some of the questions with masses at the vertices, of many magnitudes, with zeros and gaps; with shares
// by distance, with constrained origins, and with trips between some pairs.
func withMasses(r *rand.Rand, ids []uint32, plain []estimated) (list []estimated) {
	draw := func() float64 {
		if r.IntN(5) == 0 {
			return 0
		}
		return math.Round(100*math.Pow(1-r.Float64(), -1/1.1)) / 100
	}
	table := "id,a,b,g\n"
	for _, g := range []int{1, 2} {
		for _, v := range ids {
			if r.IntN(20) > 0 {
				table += fmt.Sprintf("%d,%v,%v,%d\n", v, draw(), draw(), g)
			}
		}
	}
	rows := "origin,trips,g,destination\n"
	for range 3000 {
		rows += fmt.Sprintf("%d,%v,1,%d\n", ids[r.IntN(len(ids))], draw(), ids[r.IntN(len(ids))])
	}
	one := table[:strings.LastIndex(table, ",1\n")+len(",1\n")]
	for i, a := range plain {
		if kept := a; i%2 == 0 {
			kept.name, kept.ways, kept.opts.Question.Lengths.Repeats = "repeats, "+a.name, []string{"sources-raw"}, question.RepeatsKeep
			for j, row := range strings.SplitAfter(a.csv, "\n") {
				if j > 0 && j%3 == 0 {
					kept.csv += row
				}
			}
			list = append(list, kept)
		}
		switch a.vertices = one; a.name {
		case "one set, cutoff", "lengths, targets, endpoints", "directed, cutoff", "sources":
			continue
		case "by graph", "directed, by graph":
			a.vertices = table
		}
		{
			shared := a
			shared.ways, shared.opts.Question.Decay.Share = []string{"sources-raw", "pairs"}, []string{"exp:0.4", "power:2", "table:1=0.1,3=0.5,5=0.2"}[i%3]
			shared.name += ", " + shared.opts.Question.Decay.Share
			list = append(list, shared)
			shared.ways = []string{"sources-raw"}
			shared.name, shared.opts.Question.Origins.Column, shared.opts.Question.Gravity.Constrained = shared.name+", constrained", "a", question.ConstrainedOrigins
			if i%2 == 0 {
				shared.opts.Question.Destinations.Column, shared.opts.Question.Gravity.Stay = "b", .5
			}
			list = append(list, shared)
		}
		if tabled := a; a.opts.Sources == nil && a.opts.Targets == nil {
			tabled.name, tabled.ways, tabled.vertices, tabled.trips = "trips, "+a.name, []string{"sources-raw", "pairs"}, "", rows
			list = append(list, tabled)
		}
		a.name, a.ways, a.all = "masses, "+a.name, []string{"sources-raw", "pairs"}, 0
		if i%3 > 0 {
			a.opts.Question.Origins.Column = "a"
		}
		if i%3 != 1 {
			a.opts.Question.Destinations.Column = "b"
		}
		list = append(list, a)
	}
	return list
}

// For every kind of question, intervals contain the exact scores and shrink to them, eps is a share
// of the pairs that count, and shards merge to the bits of a single run.
func TestEstimatesOfEveryQuestion(t *testing.T) {
	for _, a := range questions() {
		table, stats := a.run(t, a.opts, func(*Options) {})
		exact := scoresIn(table)
		each := 2.0
		if a.opts.Question.Directed || stats.Demand != nil {
			each = 1
		}
		pairs := a.all
		if n := float64(len(exact)); stats.Demand != nil {
			pairs = stats.Demand.Routed
		} else if pairs == 0 {
			pairs = n * (n - 1)
		}
		for _, way := range a.ways {
			name := a.name + " by " + way
			for _, samples := range []int{64, 150, 2000, all * 4} {
				if way == "pairs" && samples < 1000 {
					continue
				}
				asks := func(o *Options) { o.Question.Sample = sampled(way, 3, samples).Sample }
				table, stats := a.run(t, a.opts, asks)
				scores, lower, upper := estimatesIn(table)
				wide := 0.0
				for v, want := range exact {
					slack := 1e-9 * max(want, 1)
					if !(lower[v] <= scores[v] && scores[v] <= upper[v]) || want < lower[v]-slack || want > upper[v]+slack {
						t.Errorf("%s, %d samples: vertex %d is %v, estimated as %v in [%v, %v]", name, samples, v, want, scores[v], lower[v], upper[v])
					}
					wide = max(wide, upper[v]-scores[v], scores[v]-lower[v])
					if samples == 4*all && way != "pairs" && (lower[v] != upper[v] || math.Abs(scores[v]-want) > slack) {
						t.Fatalf("%s: vertex %d ends as %v in [%v, %v], not %v", name, v, scores[v], lower[v], upper[v], want)
					}
				}
				if stats.Estimate.Way != way {
					t.Fatalf("%s: goes by %s", name, stats.Estimate.Way)
				}
				if eps := wide / pairs * each; math.Abs(eps-stats.Estimate.Eps) > 1e-5*eps {
					t.Errorf("%s, %d samples: eps is said to be %v and is %v", name, samples, stats.Estimate.Eps, eps)
				}
				if samples != 150 && samples != 2000 || way != "pairs" && samples == 2000 {
					continue
				}
				var parts []tables.Table
				for i := range 3 {
					part, _ := a.run(t, a.opts, func(o *Options) { asks(o); o.Shard = Shard{Mine: []int{i}, Of: 3} })
					parts = append(parts, part)
				}
				merged, err := tryMerge(parts, Output{})
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				same(t, name, merged, table)
				if got, want := metadataOf(merged, "eps"), metadataOf(table, "eps"); got != want {
					t.Errorf("%s: eps of shards is %s, want %s", name, got, want)
				}
			}
		}
		if !slices.Contains(a.ways, "sources") {
			table, _ := a.run(t, a.opts, func(o *Options) { o.Question.Sample = sampled("sources", 3, 64).Sample })
			if way := metadataOf(table, "estimate"); way != "sources-raw" {
				t.Errorf("%s: sources go by %s", a.name, way)
			}
		}
	}
}

// For every kind of question, an exact run continues an estimate, and so does an exact run after that.
func TestExactAfterEstimates(t *testing.T) {
	for _, a := range questions() {
		table, _ := a.run(t, a.opts, func(*Options) {})
		exact := scoresIn(table)
		for _, way := range a.ways {
			var saved *tables.Table
			keep := func(o *Options) { o.Save = func(table tables.Table) error { saved = &table; return nil } }
			a.run(t, a.opts, func(o *Options) {
				keep(o)
				o.Question.Sample = sampled(way, 3, 1000).Sample
				o.Shard = Shard{Mine: []int{1}, Of: 3}
			})
			for i, shard := range []Shard{{Mine: []int{0}, Of: 3}, {}} {
				table, stats := a.run(t, a.opts, func(o *Options) { keep(o); o.Resume, o.Shard = saved, shard })
				if stats.Resumed == 0 && (i > 0 || way != "pairs") {
					t.Errorf("%s by %s: run %d resumed nothing", a.name, way, i)
				}
				if shard.Of > 0 {
					continue
				}
				for v, got := range scoresIn(table) {
					if math.Abs(got-exact[v]) > 1e-9*max(exact[v], 1) {
						t.Fatalf("%s by %s: vertex %d ends as %v, not %v", a.name, way, v, got, exact[v])
					}
				}
			}
		}
	}
}
