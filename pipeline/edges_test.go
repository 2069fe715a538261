package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// edgeOracle defines the scores of edges, by pairs. An arc from u to v lies on a shortest path from
// s to t if d(s,u) + 1 + d(v,t) = d(s,t). It is then on sigma(s,u) * sigma(v,t) of these paths.
func (e *edgeList) edgeOracle() map[[2]int64]float64 {
	arcs := map[[2]int64]bool{}
	for i, u := range e.src {
		if v := e.dst[i]; u != v {
			arcs[[2]int64{u, v}] = true
			if !e.directed {
				arcs[[2]int64{v, u}] = true
			}
		}
	}
	ids := slices.Compact(slices.Sorted(slices.Values(slices.Concat(e.src, e.dst))))
	number := map[int64]int{}
	for i, id := range ids {
		number[id] = i
	}
	after := make([][]int, len(ids))
	for arc := range arcs {
		u := number[arc[0]]
		after[u] = append(after[u], number[arc[1]])
	}
	const never = -1
	distance, paths := make([][]int, len(ids)), make([][]float64, len(ids))
	for s := range ids {
		distance[s], paths[s] = slices.Repeat([]int{never}, len(ids)), make([]float64, len(ids))
		distance[s][s], paths[s][s] = 0, 1
		for here, level := []int{s}, 1; len(here) > 0; level++ {
			var next []int
			for _, u := range here {
				for _, v := range after[u] {
					if distance[s][v] == never {
						distance[s][v] = level
						next = append(next, v)
					}
					if distance[s][v] == level {
						paths[s][v] += paths[s][u]
					}
				}
			}
			here = next
		}
	}
	scores := map[[2]int64]float64{}
	for arc := range arcs {
		u, v := number[arc[0]], number[arc[1]]
		score := 0.0
		for s := range ids {
			for t, from := range distance[v] {
				if to := distance[s][u]; to != never && from != never && to+1+from == distance[s][t] {
					score += paths[s][u] * paths[v][t] / paths[s][t]
				}
			}
		}
		scores[arc] = score
	}
	return scores
}

// edgesOf lists the edges in the order of the table: once each, as they first occur.
func (e *edgeList) edgesOf() (edges [][2]int64) {
	met := map[[2]int64]bool{}
	for i, u := range e.src {
		v := e.dst[i]
		if u == v || met[[2]int64{u, v}] || !e.directed && met[[2]int64{v, u}] {
			continue
		}
		met[[2]int64{u, v}] = true
		edges = append(edges, [2]int64{u, v})
	}
	return edges
}

// runEdges returns both tables of a run.
func runEdges(t *testing.T, e *edgeList, opts Options) (vertices, edges tables.Table) {
	t.Helper()
	opts.Edges = into(&edges)
	return run1(t, e, opts), edges
}

func edgeScores(table tables.Table) []float64 { return table.Floats(measures.OfEdges().Column) }

// Scores of edges are those of the definition, in the order of the input, for all lanes and
// precisions. Scores of vertices change by rounding only.
func TestEdgeScores(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 1))
	for _, e := range bothQuestions(append(graphs(random, 1+60/testgraphs.OneIn), deviceGraph())) {
		opts := Options{Compute: Compute{Lanes: random.IntN(65), Verify: 3, Threads: 1 + random.IntN(3)}}
		tolerance := 1e-12
		if random.IntN(4) == 0 {
			opts.Precision, tolerance = Float32, 1e-4
		}
		if len(e.src) > 1000 {
			continue // the definition takes long
		}
		vertices, edges := runEdges(t, e, opts)
		want, list := e.edgeOracle(), e.edgesOf()
		scores := edgeScores(edges)
		if len(scores) != len(list) {
			t.Fatalf("%s: %d edges, want %d", e.name, len(scores), len(list))
		}
		for i, edge := range list {
			u, v := int64(edges.IDs.Ints[edges.Pairs.Ends[0][i]]), int64(edges.IDs.Ints[edges.Pairs.Ends[1][i]])
			if edge != [2]int64{u, v} {
				t.Fatalf("%s: edge %d is %d-%d, want %v", e.name, i, u, v, edge)
			}
			score := want[edge]
			if !e.directed {
				score = (score + want[[2]int64{v, u}]) / 2
			}
			if math.IsNaN(scores[i]) || math.Abs(scores[i]-score) > tolerance*max(score, 1) {
				t.Errorf("%s: edge %v: %v, want %v", e.name, edge, scores[i], score)
			}
		}
		plain := scoresIn(run1(t, e, opts))
		wantNear(t, e.name, scoresIn(vertices), plain, tolerance)
	}
}

// The sum over edges is the sum of all distances.
func TestEdgeScoresAddUp(t *testing.T) {
	e := &edgeList{name: "small world"}
	random := rand.New(rand.NewPCG(71, 2))
	for v := range 800 {
		for step := 1; step <= 4; step++ {
			e.join(v, (v+step)%800)
			if random.IntN(10) == 0 {
				e.join(v, random.IntN(800))
			}
		}
	}
	vertices, edges := runEdges(t, e, Options{Question: question.Question{Measures: []string{measures.Betweenness, measures.Farness}}})
	sum, want := 0.0, 0.0
	for _, x := range edgeScores(edges) {
		sum += x
	}
	for _, x := range vertices.Ints(measures.Farness) {
		want += float64(x) / 2
	}
	if math.Abs(sum-want) > 1e-9*want {
		t.Errorf("edges add up to %v, distances to %v", sum, want)
	}
}

// The bits do not depend on threads or on a resumed checkpoint. By score, the rows are the same in
// another order.
func TestEdgeScoresRepeat(t *testing.T) {
	for _, e := range bothQuestions([]*edgeList{deviceGraph()}) {
		opts := Options{Compute: Compute{Lanes: 4, Threads: 1}}
		_, first := runEdges(t, e, opts)
		opts.Threads = 3
		_, second := runEdges(t, e, opts)
		if !slices.Equal(edgeScores(first), edgeScores(second)) {
			t.Errorf("%s: threads leave a trace", e.name)
		}
		part := opts
		part.Question.Edges, part.Shard = true, Shard{Mine: []int{1}, Of: 2}
		half := run1(t, e, part)
		opts.Resume = &half
		_, resumed := runEdges(t, e, opts)
		if !slices.Equal(edgeScores(first), edgeScores(resumed)) {
			t.Errorf("%s: resuming leaves a trace", e.name)
		}
		opts.Sort = ByScore
		_, sorted := runEdges(t, e, opts)
		rows := func(table tables.Table) (list []string) {
			for i, x := range edgeScores(table) {
				list = append(list, fmt.Sprint(table.Pairs.Ends[0][i], table.Pairs.Ends[1][i], x))
			}
			slices.Sort(list)
			return list
		}
		scores := edgeScores(sorted)
		if !slices.IsSortedFunc(scores, func(a, b float64) int { return -cmpFloat(a, b) }) || !slices.Equal(rows(first), rows(sorted)) {
			t.Errorf("%s: by score: %v", e.name, scores)
		}
	}
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// With devices, scores are the same, and a note says what they leave to the cores.
func TestEdgeScoresOnDevices(t *testing.T) {
	w := &weighted{edgeList: *deviceGraph()}
	for i := range w.src {
		w.weights.Digits = append(w.weights.Digits, int64(1+i%3))
		w.weights.Exponents = append(w.weights.Exponents, 0)
	}
	for _, column := range []string{"", "km"} {
		source := sourceOf(&w.edgeList)
		if column != "" {
			source = w.source
		}
		var table, want, edges tables.Table
		ask := func(opts Options, to *tables.Table) *Stats {
			opts.Source, opts.Question.Lengths.Column, opts.Edges = source, column, into(to)
			stats, err := Run(context.Background(), opts, into(&table))
			if err != nil {
				t.Fatal(err)
			}
			return stats
		}
		ask(Options{}, &want)
		stats := ask(withFake(&fakeSet{count: 1}, EngineGPU), &edges)
		if told := slices.ContainsFunc(stats.Notes, func(note string) bool { return strings.Contains(note, "left to the cores") }); told != (column != "") {
			t.Errorf("lengths %q: notes %q", column, stats.Notes)
		}
		wantNear(t, w.name, edgeScores(edges), edgeScores(want), 1e-12)
	}
}

// Contradictory options are refused, and parts that do not match.
func TestEdgeScoresRefused(t *testing.T) {
	e, asked := deviceGraph(), question.Question{Edges: true}
	var edges tables.Table
	if err := (&Options{Question: asked}).Check(); !errors.Is(err, ErrOptions) {
		t.Errorf("nowhere: %v", err)
	}
	half := func(q question.Question, i int) tables.Table {
		return run1(t, e, Options{Question: q, Compute: Compute{Lanes: 2}, Parts: Parts{Shard: Shard{Mine: []int{i}, Of: 2}}})
	}
	if _, err := tryMerge([]tables.Table{half(asked, 0), half(question.Question{}, 1)}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("merged parts with and without edges: %v", err)
	}
	plain := []tables.Table{half(question.Question{}, 0), half(question.Question{}, 1)}
	if _, err := tryMerge(plain, Output{Edges: into(&edges)}); !errors.Is(err, ErrPartial) {
		t.Errorf("edges of parts without: %v", err)
	}
	if _, err := tryMerge([]tables.Table{half(asked, 0), half(asked, 1)}, Output{}); err != nil {
		t.Errorf("parts with edges, for vertices alone: %v", err)
	}
	failed := errors.New("full")
	_, err := tryRun(e, Options{Output: Output{Edges: func(context.Context, tables.Table) error { return failed }}})
	if !errors.Is(err, failed) {
		t.Errorf("a sink that fails: %v", err)
	}
}

// If path counts exceed float64, flows are computed in the extended range. An edge between two
// layers carries the pairs on either side, and the pairs within one of the layers whose common
// neighbours are in the other.
func TestEdgeScoresBeyondTheRange(t *testing.T) {
	const width, depth = 10, 320
	e := layers(width, depth)
	var edges, vertices tables.Table
	stats, err := Run(t.Context(), Options{Input: Input{Source: sourceOf(e)}, Compute: Compute{Engine: EngineCPU}, Output: Output{Edges: into(&edges)}}, into(&vertices))
	if err != nil {
		t.Fatal(err)
	}
	if stats.SelfCheck.Recomputed == 0 {
		t.Error("nothing passed the range")
	}
	within := func(layer int) float64 {
		if layer == 0 || layer == depth-1 {
			return 1
		}
		return 0.5
	}
	for i, score := range edgeScores(edges) {
		u, v := edges.IDs.Ints[edges.Pairs.Ends[0][i]], edges.IDs.Ints[edges.Pairs.Ends[1][i]]
		layer := int(min(u, v)) / width
		want := float64((layer+1)*(depth-1-layer)) + float64(width-1)/width*(within(layer)+within(layer+1))
		if !(math.Abs(score-want) <= 1e-9*want) {
			t.Fatalf("edge %d-%d: %v, want %v", u, v, score, want)
		}
	}
}
