package gpu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"bcstage/internal/cpu/textbook"
	"bcstage/internal/engine"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/internal/testleaks"
	"bcstage/preprocess"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }

// weigh gives a block random masses and, if asked, multiplicities. They need not be the
// result of reductions: the formulas hold for all numbers.
func weigh(r *rand.Rand, b *preprocess.Block, twins bool) *preprocess.Block {
	if twins {
		b.Multiplicity = make([]float64, b.Vertices())
	}
	testblocks.TwoMasses(r, b)
	for v := range b.From {
		b.From[v] = float64(1 + r.IntN(5)*r.IntN(5))
		if twins {
			b.Multiplicity[v] = float64(1 + r.IntN(3))
		}
	}
	return b
}

// random is a random connected graph: see testgraphs.Random.
func random(r *rand.Rand, n, extra, reach, lanes int) *preprocess.Block {
	return testblocks.Of(n, testgraphs.Random(r, n, reach, extra), lanes)
}

func grid(rows, columns uint32, lanes int) *preprocess.Block {
	return testblocks.Of(int(rows*columns), testgraphs.Grid(rows, columns), lanes)
}

// arcs is a directed block, in which a source may reach few vertices.
func arcs(r *rand.Rand, n, count, lanes int) *preprocess.Block {
	var list []testgraphs.Edge
	for range count {
		list = append(list, testgraphs.Edge{uint32(r.IntN(n)), uint32(r.IntN(n))})
	}
	return testblocks.Directed(n, list, lanes)
}

// chase is a directed path with arcs back from every vertex to many levels before: from
// some sources it is as deep as it is long.
func chase(n uint32, lanes int) *preprocess.Block {
	list := testgraphs.Path(0, n-1)
	for v := uint32(2); v < n; v++ {
		list = append(list, testgraphs.Edge{v, v / 2}, testgraphs.Edge{v, v - 2}, testgraphs.Edge{v, v % 7})
	}
	return testblocks.Directed(int(n), list, lanes)
}

// waived makes some sources count some targets for less.
func waived(r *rand.Rand, b *preprocess.Block) *preprocess.Block {
	testblocks.Waivers(r, b)
	return b
}

// within cuts paths off after `edges` edges.
func within(b *preprocess.Block, edges int) *preprocess.Block {
	b.Cutoff = edges
	return b
}

// someSources takes the source mass from every third vertex.
func someSources(b *preprocess.Block) *preprocess.Block {
	if b.OneMass() {
		b.To = slices.Clone(b.From)
	}
	for v := 0; v < b.Vertices(); v += 3 {
		b.From[v] = 0
	}
	b.Sources = slices.DeleteFunc(b.Sources, func(v uint32) bool { return b.From[v] == 0 })
	return b
}

// farness gives a block the mean distance from every seventh vertex.
func farness(b *preprocess.Block) *preprocess.Block {
	sums := make([]int, b.Vertices())
	marks := 0
	for s := 0; s < b.Vertices(); s += 7 {
		marks++
		distance := make([]int, b.Vertices())
		queue := []uint32{uint32(s)}
		for head := 0; head < len(queue); head++ {
			for _, v := range b.Neighbours(queue[head]) {
				if distance[v] == 0 && v != uint32(s) {
					distance[v] = distance[queue[head]] + 1
					queue = append(queue, v)
				}
			}
		}
		for v, d := range distance {
			sums[v] += d
		}
	}
	for _, sum := range sums {
		b.Farness = append(b.Farness, uint16((sum+marks/2)/marks))
	}
	return b
}

// stars has a few vertices joined to nearly all others, and a path among the others.
func stars(n, hubs uint32, lanes int) *preprocess.Block {
	var edges []testgraphs.Edge
	for v := hubs; v < n; v++ {
		for h := range hubs {
			if (v+h)%7 > 0 {
				edges = append(edges, testgraphs.Edge{h, v})
			}
		}
		edges = append(edges, testgraphs.Edge{v, (v-hubs+1)%(n-hubs) + hubs})
	}
	return testblocks.Of(int(n), edges, lanes)
}

// taker hands out a plan's batches, of one block at a time.
func taker(p *preprocess.Plan) func(context.Context, int) []engine.Batch {
	next := 0
	return func(_ context.Context, most int) []engine.Batch {
		first := next
		for next < len(p.Batches) && next-first < most && p.Batches[next].Block == p.Batches[first].Block {
			next++
		}
		return p.Batches[first:next]
	}
}

// outcome is what an engine found for a whole plan: scores by block, check sums
// by batch, and how often each batch was covered.
type outcome struct {
	plan      *preprocess.Plan
	scores    [][]float64
	got, want [][]float64
	flows     [][]float64     // by block that has Flows
	arrives   [][]float64     // by block that has Hung
	sees      [][]float64     // by batch of a block that Sees, or has Access: both, by source
	together  []engine.Result // results whose check sums are of all sources together
	covered   []int
	results   int
	entries   int64
}

func newOutcome(p *preprocess.Plan) *outcome {
	o := &outcome{plan: p, got: make([][]float64, len(p.Batches)), want: make([][]float64, len(p.Batches)), covered: make([]int, len(p.Batches)), sees: make([][]float64, len(p.Batches))}
	for i := range p.Blocks {
		o.scores = append(o.scores, make([]float64, p.Blocks[i].Vertices()))
		o.flows, o.arrives = append(o.flows, nil), append(o.arrives, make([]float64, len(p.Blocks[i].Hung)))
		if p.Blocks[i].Flows != nil {
			o.flows[i] = make([]float64, p.Blocks[i].Edges())
		}
	}
	return o
}

func (o *outcome) add(r engine.Result) error {
	for v, x := range r.Scores {
		o.scores[r.Batch.Block][v] += x
	}
	flows := o.flows[r.Batch.Block]
	if len(r.Flows) != len(flows) || !(math.Abs(r.FlowGot-r.FlowWant) <= 1e-5*r.FlowWant) {
		return fmt.Errorf("batch %d: flows of %d edges, want %d, their sums being %v and %v", r.Batch.Index, len(r.Flows), len(flows), r.FlowGot, r.FlowWant)
	}
	for e, x := range r.Flows {
		flows[e] += x
	}
	for v, x := range r.Arrives {
		o.arrives[r.Batch.Block][v] += x
	}
	at := 0
	for i := r.Batch.Index; i <= r.Batch.Index+r.More; i++ {
		count := o.plan.Batches[i].Count
		o.covered[i]++
		if r.Together {
			continue
		}
		o.got[i] = append(o.got[i], r.Got[at:at+count]...)
		o.want[i] = append(o.want[i], r.Want[at:at+count]...)
		for j := at; j < at+count; j++ {
			if o.plan.Blocks[r.Batch.Block].Sees {
				o.sees[i] = append(o.sees[i], r.Sees[j])
			}
			if o.plan.Blocks[r.Batch.Block].Access {
				o.sees[i] = append(o.sees[i], r.Access[j].Numbers()...)
			}
		}
		at += count
	}
	if r.Together {
		o.together = append(o.together, engine.Result{Batch: r.Batch, More: r.More, Got: r.Got, Want: r.Want})
	}
	o.results++
	o.entries += r.Work.FrontierEntries
	return nil
}

// reference computes the plan with the textbook algorithm.
func reference(t *testing.T, p *preprocess.Plan) *outcome {
	t.Helper()
	o := newOutcome(p)
	for _, batch := range p.Batches {
		b := &p.Blocks[batch.Block]
		r := engine.Result{Batch: batch, Scores: make([]float64, b.Vertices()), Got: make([]float64, batch.Count), Want: make([]float64, batch.Count)}
		if b.Flows != nil {
			r.Flows = make([]float64, b.Edges())
		}
		if err := textbook.Result(context.Background(), b, b.Sources[batch.First:batch.First+batch.Count], &r); err != nil {
			t.Fatal(err)
		}
		if err := o.add(r); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// compare fails unless both found the same, every batch covered once.
func compare(t *testing.T, what string, got, want *outcome, tolerance float64) {
	t.Helper()
	for i, times := range got.covered {
		if times != 1 {
			t.Fatalf("%s: batch %d covered %d times", what, i, times)
		}
	}
	got.checkSums(t, what, want, tolerance)
	for i := range got.scores {
		wantClose(t, what+": scores", got.scores[i], want.scores[i], tolerance)
		wantClose(t, what+": flows", got.flows[i], want.flows[i], 2*tolerance)
		wantClose(t, what+": arrives", got.arrives[i], want.arrives[i], tolerance)
	}
}

// checkSums fails unless the self-check's sums of the covered batches are the wanted
// ones, by source or together.
func (o *outcome) checkSums(t *testing.T, what string, want *outcome, tolerance float64) {
	t.Helper()
	for i := range o.got {
		if o.got[i] == nil {
			continue
		}
		wantClose(t, fmt.Sprint(what, ": sees, batch ", i), o.sees[i], want.sees[i], tolerance)
		if o.plan.Blocks[o.plan.Batches[i].Block].Relative() { // the check on cores is another
			wantClose(t, fmt.Sprint(what, ": got, batch ", i), o.got[i], o.want[i], tolerance)
			continue
		}
		wantClose(t, fmt.Sprint(what, ": got, batch ", i), o.got[i], want.got[i], tolerance)
		exact := 0.0
		if o.plan.Blocks[o.plan.Batches[i].Block].Waived != nil || o.plan.Blocks[o.plan.Batches[i].Block].Decay != nil {
			exact = 1e-12 // not all masses are whole
		}
		wantClose(t, fmt.Sprint(what, ": want, batch ", i), o.want[i], want.want[i], exact)
	}
	for i, r := range o.together {
		first, end := r.Batch.Index, r.Batch.Index+r.More+1
		gots, wants := slices.Concat(want.got[first:end]...), slices.Concat(want.want[first:end]...)
		switch {
		case want.together != nil:
			gots, wants = want.together[i].Got, want.together[i].Want
		case o.plan.Blocks[r.Batch.Block].Relative():
			wantClose(t, fmt.Sprint(what, ": got together, batch ", first), r.Got, r.Want, tolerance)
			continue
		}
		wantClose(t, fmt.Sprint(what, ": got together, batch ", first), r.Got, []float64{total(gots)}, tolerance)
		wantClose(t, fmt.Sprint(what, ": want together, batch ", first), r.Want, []float64{total(wants)}, 0)
	}
}

func wantClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*math.Abs(want[i])) {
			t.Fatalf("%s: [%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}
