package pipeline

import (
	"math"
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
		for _, samples := range []int{150, all * 4} {
			asks := func(o *Options) { o.Question.Sample = sampled("sources", 3, samples).Sample }
			vertices, edges, stats := a.runEdges(t, asks)
			if way := stats.Estimate.Way; way != "sources-raw" {
				t.Fatalf("%s: goes by %s", a.name, way)
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
			if samples != 150 {
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
		})
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
