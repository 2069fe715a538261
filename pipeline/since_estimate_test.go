package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/cpu/pairs"
	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
	"bcstage/pipeline/internal/change"
	"bcstage/preprocess/question"
)

// byID returns a column by id.
func byID(table tables.Table, column string) map[int64]float64 {
	values := map[int64]float64{}
	for v, x := range table.Floats(column) {
		values[int64(table.IDs.Ints[v])] = x
	}
	return values
}

// changedGraphs are graphs and what they become: edges come and go, and so do vertices.
func changedGraphs() (pairs [][2]*edgeList) {
	r := rand.New(rand.NewPCG(33, 11))
	for _, e := range sampledGraphs()[:4] {
		added, removed := drawnChanges(r, e, 1, 3)
		more, less := drawnChanges(r, e, 2, 3)
		leaves, _ := drawnChanges(r, e, 0, 2)
		now, _ := e.changedBy(r, slices.Concat(added, more, leaves), slices.Concat(removed, less))
		pairs = append(pairs, [2]*edgeList{e, now})
	}
	for _, graphs := range pairs[:2] {
		for i, e := range graphs {
			graphs[i] = &edgeList{e.name + " directed", e.src, e.dst, true}
		}
		pairs = append(pairs, graphs)
	}
	return pairs
}

// holds says which interval of a table does not contain the truth; "": all do.
func holds(table tables.Table, was, is map[int64]float64) string {
	columns := append([]string{table.Columns[0].Name}, EstimateColumns(true)...)
	var of []map[int64]float64
	for _, name := range columns {
		of = append(of, byID(table, name))
	}
	if len(of[0]) != len(is) {
		return fmt.Sprintf("%d vertices, want %d", len(of[0]), len(is))
	}
	for id, score := range is {
		slack := 1e-9 * max(score, was[id], 1)
		for i, truth := range []float64{score, score - was[id]} {
			value, lower, upper := of[3*i][id], of[3*i+1][id], of[3*i+2][id]
			if !(lower <= value && value <= upper) {
				return fmt.Sprintf("vertex %d: %s: %v is not within [%v, %v]", id, columns[3*i], value, lower, upper)
			}
			if truth < lower-slack || truth > upper+slack {
				return fmt.Sprintf("vertex %d: %s: [%v, %v] misses %v", id, columns[3*i], lower, upper, truth)
			}
		}
	}
	return ""
}

// control counts, of the first draws of a seed, the vertices whose change the textbook's normal interval misses, with
// Bonferroni's correction. Masses are by id; nil: 1 each.
func control(t *testing.T, graphs [2]*edgeList, masses [2][]int64, seed uint64, draws int64, was, is map[int64]float64) (missed int) {
	t.Helper()
	n := 0
	for _, e := range graphs {
		n = max(n, int(slices.Max(e.src))+1, int(slices.Max(e.dst))+1)
	}
	rows := func(e *edgeList) *csr.Graph {
		var edges []testgraphs.Edge
		for i := range e.src {
			edges = append(edges, testgraphs.Edge{uint32(e.src[i]), uint32(e.dst[i])})
		}
		g := &csr.Graph{}
		if g.Offsets, g.Targets = testgraphs.Rows(n, edges); !e.directed {
			return g
		}
		gone := slices.Repeat([]bool{true}, len(g.Targets))
		for _, edge := range edges {
			if edge[0] != edge[1] {
				gone[g.ArcTo(edge[0], edge[1])] = false
			}
		}
		some, err := g.Without(t.Context(), gone, 1)
		if err == nil {
			g, err = some.BothWays(t.Context(), true)
		}
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	same := make([]uint32, n)
	for v := range same {
		same[v] = uint32(v)
	}
	d, err := change.Compare(t.Context(), rows(graphs[1]), rows(graphs[0]), same)
	if err != nil {
		t.Fatal(err)
	}
	if masses[0] != nil {
		d.Weigh(slices.Repeat(masses[0], 2), slices.Repeat(masses[1], 2))
	}
	of, err := newChangedPairs(t.Context(), d, d.Union(), n, 1)
	if err != nil {
		t.Fatal(err)
	}
	stage, err := of.draw(t.Context(), pairs.Draws{Seed: seed, Count: draws, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	z, k := math.Sqrt2*math.Erfinv(1-0.1/float64(n)), float64(draws)
	for v := range n {
		truth := is[int64(v)] - was[int64(v)]
		mean := (stage.Sum[v] - stage.Sum[n+v]) / k
		deviation := math.Sqrt(max((stage.Squares[v]+stage.Squares[n+v])/k-mean*mean, 0) / k)
		if math.Abs(mean*of.pairs()-truth) > z*deviation*of.pairs()+1e-6*max(math.Abs(truth), 1) {
			missed++
		}
	}
	return missed
}

// The highest scores, and the largest changes up or down, that an estimate calls certain are these. It ends as soon as all are.
func TestChangesAreCertain(t *testing.T) {
	found := map[bool]int{}
	for _, graphs := range changedGraphs() {
		since := night(t, graphs[0])
		was, is := byID(*since.Scores, tables.ScoreColumn), byID(run1(t, graphs[1], Options{}), tables.ScoreColumn)
		for seed := range uint64(2) {
			for _, changes := range []bool{false, true} {
				places := 2
				asked := question.Sample{Way: "pairs", Seed: seed, Eps: 0.01}
				key, values := "certain", is
				if changes {
					places = 1
					asked.CertainChange = places
					key, values = "certain_changes", map[int64]float64{}
					for id, score := range is {
						values[id] = math.Abs(score - was[id])
					}
				} else {
					asked.Certain = places
				}
				table := run1(t, graphs[1], Options{Since: since, Question: question.Question{Sample: asked}})
				told := byID(table, tables.ScoreColumn)
				if changes {
					for id, x := range byID(table, "change") {
						told[id] = math.Abs(x)
					}
				}
				eps, err := strconv.ParseFloat(metadataOf(table, "eps"), 64)
				if err != nil {
					t.Fatal(err)
				}
				if metadataOf(table, key) != fmt.Sprintf("%d of %d", places, places) {
					if eps > asked.Eps {
						t.Errorf("%s seed %d: %s is %q at eps %v", graphs[1].name, seed, key, metadataOf(table, key), eps)
					}
					continue
				}
				if eps > asked.Eps {
					found[changes]++
				}
				highest := func(values map[int64]float64) []int64 {
					ids := slices.Sorted(maps.Keys(values))
					slices.SortStableFunc(ids, func(a, b int64) int { return cmp.Compare(values[b], values[a]) })
					return slices.Sorted(slices.Values(ids[:places]))
				}
				if got, want := highest(told), highest(values); !slices.Equal(got, want) {
					t.Errorf("%s seed %d: %s: %v, want %v", graphs[1].name, seed, key, got, want)
				}
			}
		}
	}
	if found[false] == 0 || found[true] == 0 {
		t.Errorf("none was certain before eps was reached: %v", found)
	}
	t.Logf("certain before eps was reached: %v", found)
}

// Intervals of scores and of changes contain the exact ones of all vertices, for nearly all seeds. Textbook intervals
// from as many pairs miss some in nearly every run.
func TestChangesHold(t *testing.T) {
	for _, graphs := range changedGraphs() {
		since := night(t, graphs[0])
		changesHold(t, graphs, [2][]int64{}, *since.Scores, run1(t, graphs[1], Options{}), func(q question.Question) tables.Table {
			return run1(t, graphs[1], Options{Since: since, Question: q})
		})
	}
}

// changesHold compares estimates with the exact tables of both days.
func changesHold(t *testing.T, graphs [2]*edgeList, masses [2][]int64, before, now tables.Table, run func(question.Question) tables.Table) {
	t.Helper()
	was, is := byID(before, before.Columns[0].Name), byID(now, now.Columns[0].Name)
	runs, misses, caught := 0, 0, 0
	for seed := range uint64(max(200/testgraphs.OneIn, 20)) {
		last := math.Inf(1)
		for _, samples := range []int{1000, 5000} {
			table := run(sampled("pairs", seed, samples))
			if metadataOf(table, "since_way") != wayPairs || metadataOf(table, "draws") != fmt.Sprint(samples) {
				t.Fatalf("%s: %v", graphs[1].name, table.Metadata)
			}
			wrong := holds(table, was, is)
			if strings.Contains(wrong, "not within") || strings.Contains(wrong, "vertices") {
				t.Fatalf("%s: %s", graphs[1].name, wrong)
			}
			if runs++; wrong != "" {
				misses++
			}
			wide := 0.0
			for v, lower := range table.Floats("change_lower") {
				wide = max(wide, table.Floats("change_upper")[v]-lower)
			}
			if wide > 1.1*last || wide == 0 {
				t.Errorf("%s seed %d: the widest interval has %v after %d samples, %v before", graphs[1].name, seed, wide, samples, last)
			}
			last = wide
		}
		if control(t, graphs, masses, seed, 5000, was, is) > 0 {
			caught++
		}
	}
	t.Logf("%s: %d of %d runs missed, the control in %d", graphs[1].name, misses, runs, caught)
	if misses*20 > runs {
		t.Errorf("%s: %d of %d runs missed", graphs[1].name, misses, runs)
	}
	if caught*4 < runs/2*3 {
		t.Errorf("%s: the control missed in %d of %d runs only: this test would not notice a dishonest bound", graphs[1].name, caught, runs/2)
	}
}

// Means over many seeds are the exact changes, within statistical error.
func TestChangesAreUnbiased(t *testing.T) {
	graphs := changedGraphs()[3]
	since := night(t, graphs[0])
	was, is := byID(*since.Scores, tables.ScoreColumn), byID(run1(t, graphs[1], Options{}), tables.ScoreColumn)
	const draws = 10_000
	const seeds = 30
	sum, squares := map[int64]float64{}, map[int64]float64{}
	for seed := range uint64(seeds) {
		for id, x := range byID(run1(t, graphs[1], Options{Since: since, Question: sampled("pairs", seed, draws)}), "change") {
			sum[id] += x
			squares[id] += x * x
		}
	}
	told, n := 0, float64(len(is))
	rare := 5 * n * n / 2 / (draws * seeds) // a few pairs more or less
	for id := range is {
		mean := sum[id] / seeds
		deviation := math.Sqrt(max(squares[id]/seeds-mean*mean, 0) / (seeds - 1))
		truth, error := is[id]-was[id], 5*deviation+rare
		if was[id] < 1000 {
			continue // changes end where scores would be below 0, which is a bias
		}
		if math.Abs(truth) > 3*error {
			told++
		}
		if math.Abs(mean-truth) > error {
			t.Errorf("vertex %d changes by %v, in the mean by %v (deviation %v)", id, truth, mean, deviation)
		}
	}
	if told < 5 {
		t.Errorf("the change of %d vertices is far from 0: too few to tell", told)
	}
}

// Bits depend on the seed, not on threads, or on the order of rows.
func TestChangesAreRepeatable(t *testing.T) {
	graphs := changedGraphs()[0]
	since := night(t, graphs[0])
	of := func(seed uint64, threads int) tables.Table {
		return run1(t, graphs[1], Options{Since: since, Question: sampled("pairs", seed, 3000), Compute: Compute{Threads: threads}})
	}
	want := of(3, 1)
	for _, threads := range []int{2, 3} {
		got := of(3, threads)
		same(t, "threads", got, want)
		for _, column := range EstimateColumns(true)[2:] {
			if !slices.Equal(got.Floats(column), want.Floats(column)) {
				t.Errorf("%d threads: %s differs", threads, column)
			}
		}
	}
	if other := of(4, 1); slices.Equal(other.Floats("change"), want.Floats("change")) {
		t.Error("seeds make no difference")
	}
}

// Exact changes have intervals without width, by every way.
func TestExactChangesWithoutWidth(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 12))
	ways := map[string]bool{}
	for _, e := range graphs(r, 3) {
		since := night(t, e)
		for kind := range 4 {
			added, removed := drawnChanges(r, e, kind, 2)
			now, _ := e.changedBy(r, added, removed)
			if len(now.src) == 0 || kind == 3 {
				now = e
			}
			was, is := e.oracle(), now.oracle()
			for _, way := range []string{wayMasses, waySides, ""} {
				opts := Options{Question: question.Question{Sample: question.Sample{Way: "exact"}}}
				opts.Since = &Since{Prepared: since.Prepared, Scores: since.Scores, way: way}
				table := run1(t, now, opts)
				if wrong := holds(table, was, is); wrong != "" {
					t.Errorf("%s, %s: %s", now.name, way, wrong)
				}
				for _, column := range []string{LowerColumn, UpperColumn} {
					if !slices.Equal(table.Floats(column), scoresIn(table)) {
						t.Errorf("%s: %s is not the score", now.name, column)
					}
				}
				columns := EstimateColumns(true)[2:]
				for v, x := range table.Floats(columns[0]) {
					if table.Floats(columns[1])[v] != x || table.Floats(columns[2])[v] != x {
						t.Errorf("%s: a change of %v in [%v, %v]", now.name, x, table.Floats(columns[1])[v], table.Floats(columns[2])[v])
					}
				}
				if metadataOf(table, "estimate") != "exact" || metadataOf(table, "since_estimates") != "0" {
					t.Errorf("%s: %v", now.name, table.Metadata)
				}
				ways[metadataOf(table, "since_way")] = true
			}
		}
	}
	for _, way := range []string{wayMasses, waySides, wayUnchanged, wayWhole} {
		if !ways[way] {
			t.Errorf("no run by %s", way)
		}
	}
}
