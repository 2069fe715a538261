package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/pipeline/internal/ledger"
	"bcstage/pipeline/internal/sharing"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

func layers(width, depth int) *edgeList {
	return listed(fmt.Sprintf("layered %d x %d", width, depth), testgraphs.Layers(uint32(width), uint32(depth)))
}

// layersScore is exact. A vertex of a layer carries 1/width of each pair with one vertex on either
// side of the layer. A pair within a neighbouring layer is shared by its common neighbours.
func layersScore(width, depth, layer int) float64 {
	w := float64(width)
	score := w * float64(layer) * float64(depth-1-layer)
	for _, beside := range []int{layer - 1, layer + 1} {
		switch {
		case beside < 0 || beside >= depth:
		case depth == 2 || beside == 0 || beside == depth-1:
			score += (w - 1) / 2
		default:
			score += (w - 1) / 4
		}
	}
	return score
}

func squareGrid(side int) *edgeList {
	return listed(fmt.Sprint("grid of side ", side), testgraphs.Grid(uint32(side), uint32(side)))
}

// A layered graph ten wide has 10^(layers-2) shortest paths from end to end: too many for a float32
// from 40 layers on, for a float64 from 310 on.
func TestLayersBeyondTheRange(t *testing.T) {
	for _, depth := range []int{19, 39, 309, 2000} {
		e := layers(10, depth)
		for _, precision := range []Precision{Float64, Float32} {
			tolerance := 1e-9
			if precision == Float32 {
				tolerance = 1e-5
			}
			vertices, scores, stats := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU, Precision: precision}})
			for i, v := range vertices {
				want := layersScore(10, depth, int(v)/10)
				if !(math.Abs(scores[i]-want) <= tolerance*want) {
					t.Fatalf("%s, %s: vertex %d: %v, want %v", e.name, precision, v, scores[i], want)
				}
			}
			t.Logf("%s, %s: %d of %d batches recomputed", e.name, precision, stats.SelfCheck.Recomputed, stats.Batches)
		}
	}
}

// A chain of 5000 diamonds: every second vertex is an articulation point, so the reductions divide
// it and 2^5000 paths are never counted.
func TestDiamonds(t *testing.T) {
	const k = 5000
	e := listed("diamonds", testgraphs.Diamonds(k))
	vertices, scores, _ := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU}})
	for i, v := range vertices {
		link := float64(v / 3)
		want := 9 * link * (k - link) // a joint: the pairs on either side of it
		switch {
		case v%3 != 0: // half of the pairs on either side of the diamond
			want = (3*link + 1) * (3*(k-link) - 2) / 2
		case v == 0 || v == 3*k:
			want += 0.5 // half of the pair of corners beside it
		default:
			want++
		}
		if !(math.Abs(scores[i]-want) <= 1e-9*max(want, 1)) {
			t.Fatalf("vertex %d: %v, want %v", v, scores[i], want)
		}
	}
}

// A 67 x 67 grid exceeds float32; float64 can count it.
func TestGridBeyondFloat32(t *testing.T) {
	e := squareGrid(67)
	_, want, _ := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU}})
	_, scores, stats := mustScores(t, e, Options{Compute: Compute{Engine: EngineCPU, Precision: Float32}})
	for v := range want {
		if !(math.Abs(scores[v]-want[v]) <= 1e-5*max(want[v], 1)) {
			t.Fatalf("vertex %d: %v, want %v", v, scores[v], want[v])
		}
	}
	if stats.SelfCheck.Recomputed == 0 || stats.SelfCheck.Recomputed == stats.Batches {
		t.Errorf("%d of %d batches recomputed; this test tests nothing", stats.SelfCheck.Recomputed, stats.Batches)
	}
}

// gridDependency is the dependency of all vertices for one source of a grid. A vertex i rows and j
// columns away has C(i+j, i) shortest paths, so ratios of neighbours are small fractions: no count
// is needed, and none overflows.
func gridDependency(side, source int) []float64 {
	row, column := source/side, source%side
	delta := make([]float64, side*side)
	for i := side - 1; i >= 0; i-- {
		for j := side - 1; j >= 0; j-- {
			for _, y := range slices.Compact([]int{row - i, row + i}) {
				for _, x := range slices.Compact([]int{column - j, column + j}) {
					if y < 0 || y >= side || x < 0 || x >= side {
						continue
					}
					sum := 0.0
					for _, y2 := range slices.Compact([]int{y - 1, y + 1}) {
						if y2 >= 0 && y2 < side && abs(y2-row) == i+1 {
							sum += float64(i+1) / float64(i+j+1) * (1 + delta[y2*side+x])
						}
					}
					for _, x2 := range []int{x - 1, x + 1} {
						if x2 >= 0 && x2 < side && abs(x2-column) == j+1 {
							sum += float64(j+1) / float64(i+j+1) * (1 + delta[y*side+x2])
						}
					}
					delta[y*side+x] = sum
				}
			}
		}
	}
	delta[source] = 0
	return delta
}

func abs(x int) int { return max(x, -x) }

// Grids of side 516 and more exceed float64. All their sources would take hours: the test compares
// sources beside two corners, in the middle, and the last. Without the build tag exhaustive it
// takes those beside one corner only.
func TestGridsBeyondFloat64(t *testing.T) {
	sides := []int{516, 700}
	if testgraphs.OneIn > 1 {
		sides = sides[:1]
	}
	for _, side := range sides {
		plan, ids := planOf(t, squareGrid(side), 2)
		block := &plan.Blocks[0]
		locals := make([]float64, block.Vertices())
		for local := range locals {
			locals[local] = float64(local)
		}
		id := make([]int, len(locals)) // by local vertex
		block.Each(nil, locals, func(vertex uint32, local float64) { id[int(local)] = int(ids[vertex]) })

		middle, last := len(plan.Batches)/2, len(plan.Batches)-1
		sampled := []int{middle, last}
		for _, batch := range plan.Batches[:last] {
			for _, local := range block.Sources[batch.First:][:batch.Count] {
				if v := id[local]; batch.Index != middle && (v == 0 || v == side*side-1) { // two corners
					sampled = append(sampled, batch.Index)
				}
			}
		}
		if testgraphs.OneIn > 1 {
			sampled = sampled[2:3]
		}
		c := newComputation(plan, Float64, sampled)
		p := computed(t, c)
		check := p.Check
		base, sums := plan.ClosedForm(measures.Betweenness), p.Sums(measures.Betweenness)
		for v := range sums {
			sums[v] = 2*sums[v] - float64(base.Low[v])
		}
		want := make([]float64, side*side)
		for _, index := range sampled {
			batch := plan.Batches[index]
			for _, local := range block.Sources[batch.First:][:batch.Count] {
				for v, d := range gridDependency(side, id[local]) {
					want[v] += d
				}
			}
		}
		for v, id := range ids {
			w := want[id]
			if got := sums[v]; !(math.Abs(got-w) <= 1e-9*max(w, 1)) {
				t.Fatalf("side %d: vertex %d: %v, want %v", side, v, got, w)
			}
		}
		if check.Recomputed == 0 {
			t.Errorf("side %d: nothing passed the range; this test tests nothing", side)
		}
		t.Logf("side %d: %d of %d batches recomputed", side, check.Recomputed, len(sampled))
	}
}

// Lanes do not try all of a block that overflows everywhere.
func TestHopelessBlockIsNotTried(t *testing.T) {
	e := layers(3, 900)
	plan, _ := planOf(t, e, 2)
	c := newComputation(plan, Float64, nil)
	check := computed(t, c).Check
	tried := c.sharing.Figures().Engines[0].Batches
	if check.Sources != 900 || tried > len(plan.Batches)/2 {
		t.Errorf("%d of %d batches tried, %d recomputed, %d sources", tried, len(plan.Batches), check.Recomputed, check.Sources)
	}
}

// A distance search that misses reachable vertices has no other means: the run fails, and
// everything it has begun ends.
func TestNothingBegunWithoutMeans(t *testing.T) {
	plan, _ := planOf(t, squareGrid(6), 2, measures.Betweenness, measures.Farness)
	c := newComputation(plan, Float64, nil)
	c.opts.Threads = 1
	for _, distances := range []bool{false, true} {
		for _, batch := range plan.Batches {
			if plan.Blocks[batch.Block].Distances == distances {
				c.ledger.Enter("cpu", false, []engine.Batch{batch}, engine.Result{Batch: batch}, math.NaN())
			}
		}
	}
	if err := c.extend(t.Context()); !errors.Is(err, ErrSelfCheck) {
		t.Errorf("error %v, want %v", err, ErrSelfCheck)
	}
	if sources := c.ledger.Check().Sources; sources > 0 {
		t.Errorf("%d sources were searched, perhaps more will be", sources)
	}
}

func planOf(t *testing.T, e *edgeList, lanes int, measures ...string) (plan *preprocess.Plan, ids []uint64) {
	t.Helper()
	builder := building.NewBuilder(2)
	var src, dst building.Keys
	for i := range e.src {
		src.Ints = append(src.Ints, uint64(e.src[i]))
		dst.Ints = append(dst.Ints, uint64(e.dst[i]))
	}
	if err := builder.AddEdges(src, dst); err != nil {
		t.Fatal(err)
	}
	input, err := builder.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	plan, err = preprocess.Reduce(context.Background(), &input.Graph, preprocess.Options{Lanes: lanes, Question: question.Question{Measures: measures}})
	if err != nil {
		t.Fatal(err)
	}
	return plan, input.IDs.Ints
}

// newComputation is for some batches of a plan; nil: all.
func newComputation(plan *preprocess.Plan, precision Precision, todo []int) *computation {
	books := ledger.New(plan, ledger.Names{}, precision, Shard{}, nil, nil, 1)
	if todo == nil {
		todo = books.Todo(Shard{})
	}
	opts := Options{Compute: Compute{Engine: EngineCPU, Threads: 2, Precision: precision}}
	return &computation{plan: plan, opts: opts, sharing: sharing.New(plan, todo), ledger: books}
}

// computed runs a computation on CPU workers.
func computed(t *testing.T, c *computation) *ledger.Partial {
	t.Helper()
	if err := c.run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return c.ledger.Close()
}
