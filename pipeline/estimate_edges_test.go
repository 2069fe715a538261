package pipeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/bound"
	"bcstage/internal/draws"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// edgeQuestions are questions about edges.
func edgeQuestions() (list []estimated) {
	for _, a := range questions() {
		a.opts.Question.Edges, a.opts.Edges = true, into(new(tables.Table))
		list = append(list, a)
	}
	return list
}

// runEdges is run with the table of edges.
func (a estimated) runEdges(t *testing.T, change func(*Options)) (vertices, edges tables.Table, stats *Stats) {
	t.Helper()
	vertices, stats = a.run(t, a.opts, func(o *Options) {
		o.Edges = into(&edges)
		change(o)
	})
	return vertices, edges, stats
}

// For every kind of question, intervals of edges contain the exact scores and shrink to them, eps is the widest of both
// tables, and threads, shards and a checkpoint lead to the same bits.
func TestEstimatesOfEdges(t *testing.T) {
	for _, a := range edgeQuestions() {
		exact, exactEdges, exactStats := a.runEdges(t, func(*Options) {})
		ofVertices, ofEdges := scoresIn(exact), exactEdges.Columns[0].Values.(tables.Floats)
		for _, samples := range []int{150, all * 4, 2000} {
			way := "sources"
			if samples == 2000 {
				if way = "pairs"; !slices.Contains(a.ways, way) {
					continue
				}
			}
			asks := func(o *Options) { o.Question.Sample = sampled(way, 3, samples).Sample }
			vertices, edges, stats := a.runEdges(t, asks)
			if got := stats.Estimate.Way; got != way && got != way+"-raw" || stats.Estimate.Edges == 0 {
				t.Fatalf("%s by %s: %+v", a.name, way, stats.Estimate)
			}
			wide := 0.0
			for _, of := range []struct {
				want []float64
				got  tables.Table
			}{{ofVertices, vertices}, {ofEdges, edges}} {
				scores, lower, upper := of.got.Columns[0].Values.(tables.Floats), of.got.Floats(LowerColumn), of.got.Floats(UpperColumn)
				for i, want := range of.want {
					slack := 1e-12 * max(want, ofVertices[0], 1)
					if !(lower[i] <= scores[i] && scores[i] <= upper[i]) || want < lower[i]-slack || want > upper[i]+slack {
						t.Errorf("%s, %d samples: place %d is %v, estimated as %v in [%v, %v]", a.name, samples, i, want, scores[i], lower[i], upper[i])
					}
					wide = max(wide, upper[i]-scores[i], scores[i]-lower[i])
					if samples == 4*all && (lower[i] != upper[i] || math.Abs(scores[i]-want) > slack) {
						t.Fatalf("%s: place %d ends as %v in [%v, %v], not %v", a.name, i, scores[i], lower[i], upper[i], want)
					}
				}
			}
			each, pairs := 2.0, a.all
			if a.opts.Question.Directed || exactStats.Demand != nil {
				each = 1
			}
			if n := float64(len(ofVertices)); exactStats.Demand != nil {
				pairs = exactStats.Demand.Routed
			} else if pairs == 0 {
				pairs = n * (n - 1)
			}
			if eps := wide / pairs * each; math.Abs(eps-stats.Estimate.Eps) > 1e-5*eps {
				t.Errorf("%s, %d samples: eps is said to be %v and is %v", a.name, samples, stats.Estimate.Eps, eps)
			}
			if samples == all*4 {
				continue
			}
			_, again, _ := a.runEdges(t, func(o *Options) { asks(o); o.Threads = 3 })
			same(t, a.name+", threads", again, edges)
			if a.opts.Question.KeepsRepeats() {
				continue // a partial result has no rows of edges
			}
			var parts []tables.Table
			for i := range 3 {
				part, _ := a.run(t, a.opts, func(o *Options) { asks(o); o.Shard = Shard{Mine: []int{i}, Of: 3} })
				parts = append(parts, part)
			}
			var mergedEdges tables.Table
			merged, err := tryMerge(parts, Output{Edges: into(&mergedEdges)})
			if err != nil {
				t.Fatalf("%s: %v", a.name, err)
			}
			same(t, a.name+", shards", merged, vertices)
			same(t, a.name+", edges of shards", mergedEdges, edges)
			_, resumed, _ := a.runEdges(t, func(o *Options) { asks(o); o.Resume = &parts[1] })
			same(t, a.name+", gone on", resumed, edges)
		}
	}
}

// Over many seeds, intervals of vertices and edges together miss in no more than the agreed share of runs, and the control
// is caught.
func TestCoverageOfEdges(t *testing.T) {
	seeds := max(40/testgraphs.OneIn, 4)
	for _, a := range edgeQuestions() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			plan := a.plan(t)
			block, ok := plan.Drawable(false)
			if !ok {
				t.Fatalf("nothing to draw")
			}
			covers(t, "by sources", seeds, func(seed uint64) ([]bound.Stage, bound.Options, []float64) {
				stages, limits, truth := sourcesOfPlan(t, plan, block, draws.Drawing{Seed: seed})
				if edges := len(plan.Blocks[block].Flows.Edges); limits.Vertices <= plan.Blocks[block].Covers() || edges == 0 {
					t.Fatalf("%d scores of %d vertices and %d edges", limits.Vertices, plan.Blocks[block].Covers(), edges)
				}
				return stages, limits, truth
			})
			if slices.Contains(a.ways, "pairs") {
				covers(t, "by pairs", seeds, func(seed uint64) ([]bound.Stage, bound.Options, []float64) {
					return pairsOfPlan(t, plan, block, seed)
				})
			}
		})
	}
}

// Over many draws, the mean of every vertex and edge is its true T within five standard errors, where pairs are drawn by
// trips or count by chance.
func TestNoBiasOfPairs(t *testing.T) {
	for _, a := range edgeQuestions() {
		if a.trips == "" && a.opts.Question.Decay.Share == "" || !slices.Contains(a.ways, "pairs") {
			continue
		}
		plan := a.plan(t)
		block, ok := plan.Drawable(true)
		if !ok {
			t.Fatalf("%s: nothing to draw", a.name)
		}
		var sum, truth []float64
		draws := 0.0
		for seed := range uint64(max(12/testgraphs.OneIn, 2)) {
			stages, _, want := pairsOfPlan(t, plan, block, seed)
			truth = want
			if sum == nil {
				sum = make([]float64, len(want))
			}
			for _, stage := range stages {
				draws += float64(stage.Draws)
				for i, x := range stage.Sum {
					sum[i] += x
				}
			}
		}
		got, all := 0.0, 0.0
		for i, want := range truth {
			got, all = got+sum[i]/draws, all+want
			if deviation := math.Sqrt(want * (1 - want) / draws); math.Abs(sum[i]/draws-want) > 5*deviation+5/draws {
				t.Errorf("%s: place %d has mean %v, %v is true", a.name, i, sum[i]/draws, want)
			}
		}
		if math.Abs(got/all-1) > 0.05 {
			t.Errorf("%s: all together are %v times what they should be", a.name, got/all)
		}
	}
}

// On hundreds of small random graphs, intervals of pairs contain the exact scores of all vertices and edges, at any number
// of draws, in all but the agreed share of runs. Of 3 498 runs one missed.
func TestPairsOfRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 28))
	missed, drawn := 0, 0
	for range max(400/testgraphs.OneIn, 40) {
		n := 10 + r.IntN(40)
		edges := testgraphs.Random(r, n, 1+r.IntN(n), r.IntN(2*n))
		a := estimated{name: "random", csv: csvOf(r, edges, len(edges))}
		q := &a.opts.Question
		q.Directed = r.IntN(2) > 0
		if r.IntN(2) > 0 {
			q.Lengths.Column = "km"
		}
		if r.IntN(3) == 0 {
			q.Cutoff = strconv.Itoa(3 + r.IntN(5))
		}
		if r.IntN(2) > 0 {
			a.trips = "origin,trips,destination\n"
			for range 1 + r.IntN(3*n) {
				a.trips += fmt.Sprintf("%d,%v,%d\n", r.IntN(n), 1+r.IntN(1+r.IntN(100)), r.IntN(n))
			}
		} else {
			q.Decay.Share = []string{"exp:0.4", "power:2", "gaussian:2", "table:1=0.1,3=0.5,5=0.2"}[r.IntN(4)]
		}
		a.opts.Edges = into(new(tables.Table))
		exact, exactEdges, _ := a.runEdges(t, func(*Options) {})
		vertices, ofEdges, stats := a.runEdges(t, func(o *Options) {
			o.Question.Sample = sampled("pairs", r.Uint64(), 1+r.IntN(4000)).Sample
			o.Question.Sample.Confidence = 0.9
		})
		if stats.Estimate.Way == "pairs" {
			drawn++
		}
		if outside(exact, vertices) || outside(exactEdges, ofEdges) {
			missed++
		}
	}
	if t.Logf("%d of %d runs missed", missed, drawn); missed > drawn/10 || drawn < 20 {
		t.Errorf("%d of %d runs missed", missed, drawn)
	}
}

// outside reports whether some exact score is outside its interval.
func outside(exact, estimate tables.Table) bool {
	lower, upper := estimate.Floats(LowerColumn), estimate.Floats(UpperColumn)
	for i, want := range exact.Columns[0].Values.(tables.Floats) {
		if slack := 1e-9 * max(want, 1); want < lower[i]-slack || want > upper[i]+slack {
			return true
		}
	}
	return false
}

// In streets, an edge is counted as the vertex in its middle, and pairs are drawn in a block of chains.
func TestPairsOfEdgesOfStreets(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 12))
	edges := testgraphs.CutGrid(r, 900, 3)
	a := estimated{name: "streets", csv: csvOf(r, edges, len(edges)), opts: Options{Question: question.Question{Edges: true}}}
	a.opts.Edges = into(new(tables.Table))
	if plan := a.plan(t); plan.Blocks[0].Middles == nil {
		t.Fatal("no edge has a middle")
	}
	_, exact, _ := a.runEdges(t, func(*Options) {})
	_, edgesOf, stats := a.runEdges(t, func(o *Options) { o.Question.Sample = sampled("pairs", 3, 5000).Sample })
	if stats.Estimate.Way != "pairs" || stats.Estimate.Edges == 0 {
		t.Fatalf("%+v", stats.Estimate)
	}
	lower, upper := edgesOf.Floats(LowerColumn), edgesOf.Floats(UpperColumn)
	for i, want := range exact.Columns[0].Values.(tables.Floats) {
		if slack := 1e-12 * want; want < lower[i]-slack || want > upper[i]+slack {
			t.Errorf("edge %d is %v, in [%v, %v]", i, want, lower[i], upper[i])
		}
	}
}

// Devices add up the flows of several sources, so cores search drawn sources. Exact scores have no width.
func TestEstimatesOfEdgesOnDevices(t *testing.T) {
	e := sampledGraphs()[2]
	q := sampled("sources", 3, 300)
	q.Edges = true
	run := func(opts Options) (table tables.Table, stats *Stats) {
		opts.Question, opts.Source, opts.Edges = q, sourceOf(e), into(&table)
		var vertices tables.Table
		stats, err := Run(t.Context(), opts, into(&vertices))
		if err != nil {
			t.Fatal(err)
		}
		return table, stats
	}
	want, _ := run(Options{Compute: Compute{Engine: EngineCPU, Lanes: 2}})
	opts := withFake(&fakeSet{count: 1}, EngineGPU)
	opts.Device = "0"
	got, stats := run(opts)
	same(t, "on a device", got, want)
	if len(stats.Notes) == 0 {
		t.Error("nothing says that cores searched")
	}
	q.Sample = question.Sample{Way: "exact"}
	got, _ = run(Options{Compute: Compute{Engine: EngineCPU, Lanes: 2}})
	if names := []string{got.Columns[0].Name, got.Columns[1].Name, got.Columns[2].Name}; names[0] != measures.OfEdges().Column || names[1] != LowerColumn || names[2] != UpperColumn {
		t.Errorf("columns %q", names)
	}
	for i, x := range got.Floats(LowerColumn) {
		if x != got.Floats(UpperColumn)[i] || x != got.Columns[0].Values.(tables.Floats)[i] {
			t.Fatalf("edge %d: %v has an interval", i, x)
		}
	}
}
