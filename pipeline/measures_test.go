package pipeline

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// everyMeasure returns all measures of the graph in some order, betweenness first or not at all. For measures of target
// masses see TestReached.
func (e *edgeList) everyMeasure(random *rand.Rand, betweenness bool) (names []string) {
	for _, m := range measures.All() {
		masses := question.Question{Measures: []string{m.Name}}.Searches(measures.Reached)
		if !masses && m.Name != measures.Betweenness && m.Name != measures.Rank && (m.Of != "") == (e.directed && (m.Of != "" || m.Directed)) {
			names = append(names, m.Name)
		}
	}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if betweenness {
		names = append([]string{measures.Betweenness}, names...)
	}
	return append(names, measures.Rank)
}

func asking(names ...string) Options { return Options{Question: question.Question{Measures: names}} }

// reversed returns the graph with reversed arcs.
func (e *edgeList) reversed() *edgeList { return &edgeList{e.name, e.dst, e.src, e.directed} }

// distancesOf is the textbook: a breadth-first search from every vertex. Columns are by measure, then by id.
func (e *edgeList) distancesOf() map[string]map[int64]float64 {
	want := map[string]map[int64]float64{}
	for _, m := range measures.All() {
		want[m.Name] = map[int64]float64{}
	}
	join := func(way string, e *edgeList) {
		for name, values := range e.searched() {
			want[name+way] = values
		}
	}
	if e.directed {
		join(measures.Out, e)
		join(measures.In, e.reversed())
	}
	under := *e
	under.directed = false
	if !e.directed {
		join("", &under)
	}
	var ids []int64
	for i := range e.src {
		ids = append(ids, e.src[i], e.dst[i])
	}
	sizes := under.searched()[measures.Reach]
	components, number := 0, map[int64]int64{} // by vertex: the first vertex of its component
	for changed := true; changed; {
		changed = false
		for i := range e.src {
			a, b := min(orElse(number, e.src[i], int64(i)), orElse(number, e.dst[i], int64(i))), int64(0)
			for _, v := range []int64{e.src[i], e.dst[i]} {
				if b = orElse(number, v, -1); b != a {
					number[v], changed = a, true
				}
			}
		}
	}
	named := map[int64]float64{}
	for _, v := range ids {
		if _, met := named[number[v]]; !met {
			named[number[v]] = float64(components)
			components++
		}
		want[measures.Component][v] = named[number[v]]
		want[measures.ComponentSize][v] = sizes[v] + 1
	}
	return want
}

func orElse(of map[int64]int64, key, value int64) int64 {
	if x, there := of[key]; there {
		return x
	}
	return value
}

// searched returns the results of searches along the edges.
func (e *edgeList) searched() map[string]map[int64]float64 {
	neighbours := map[int64]map[int64]bool{}
	var ids []int64
	for i := range e.src {
		for _, v := range []int64{e.src[i], e.dst[i]} {
			if neighbours[v] == nil {
				neighbours[v] = map[int64]bool{}
				ids = append(ids, v)
			}
		}
		if e.src[i] != e.dst[i] {
			neighbours[e.src[i]][e.dst[i]] = true
			if !e.directed {
				neighbours[e.dst[i]][e.src[i]] = true
			}
		}
	}
	want := map[string]map[int64]float64{}
	for _, name := range []string{measures.Degree, measures.Reach, measures.Farness, measures.Harmonic, measures.Eccentricity, measures.Closeness, measures.ClosenessClassic} {
		want[name] = map[int64]float64{}
	}
	for _, s := range ids {
		distance := map[int64]int{s: 0}
		queue := []int64{s}
		for head := 0; head < len(queue); head++ {
			for v := range neighbours[queue[head]] {
				if _, met := distance[v]; !met {
					distance[v] = distance[queue[head]] + 1
					queue = append(queue, v)
				}
			}
		}
		far, harmonic, most := 0, 0.0, 0
		for _, d := range distance {
			far, most = far+d, max(most, d)
			if d > 0 {
				harmonic += 1 / float64(d)
			}
		}
		reach := float64(len(distance) - 1)
		want[measures.Degree][s] = float64(len(neighbours[s]))
		want[measures.Reach][s] = reach
		want[measures.Farness][s] = float64(far)
		want[measures.Harmonic][s] = harmonic
		want[measures.Eccentricity][s] = float64(most)
		want[measures.ClosenessClassic][s], want[measures.Closeness][s] = 0, 0
		if far > 0 {
			want[measures.ClosenessClassic][s] = reach / float64(far)
			want[measures.Closeness][s] = reach / float64(far) * reach / float64(len(ids)-1)
		}
	}
	return want
}

// checkColumns compares the columns of a table with the textbook.
func checkColumns(t *testing.T, e *edgeList, names []string, table tables.Table) {
	t.Helper()
	if len(table.Columns) != len(names) {
		t.Fatalf("%s: %d columns, want %q", e.name, len(table.Columns), names)
	}
	want := e.distancesOf()
	if slices.Contains(names, measures.Betweenness) {
		want[measures.Betweenness] = e.oracle()
	}
	first := table.Columns[0].Values.Numbers()
	for i, name := range names {
		m, _ := measures.Named(name)
		column := table.Columns[i]
		if name == measures.IndependentSet {
			e.checkIndependent(t, table, column)
			continue
		}
		if _, whole := column.Values.(tables.Ints); column.Name != m.Column || whole != m.Whole {
			t.Errorf("%s: column %d is %q, whole: %v; want %+v", e.name, i, column.Name, whole, m)
		}
		for v, got := range column.Values.Numbers() {
			right := want[name][int64(table.IDs.Ints[v])]
			if name == measures.Rank {
				right = 1
				for _, x := range first {
					if x > first[v] {
						right++
					}
				}
			}
			if !(math.Abs(got-right) <= 1e-12*max(right, 1)) {
				t.Fatalf("%s: %s of %d: %v, want %v (%v-%v)", e.name, name, int64(table.IDs.Ints[v]), got, right, e.src, e.dst)
			}
		}
	}
}

// checkIndependent checks the definition: no two members are neighbours, and each other vertex has a member for a
// neighbour.
func (e *edgeList) checkIndependent(t *testing.T, table tables.Table, column tables.Column) {
	t.Helper()
	member, beside := map[int64]bool{}, map[int64]bool{}
	for v, in := range column.Values.(tables.Bools) {
		member[int64(table.IDs.Ints[v])] = in
	}
	for i, u := range e.src {
		if v := e.dst[i]; u != v {
			beside[u] = beside[u] || member[v]
			beside[v] = beside[v] || member[u]
		}
	}
	for v := range member {
		if member[v] == beside[v] {
			t.Fatalf("%s: independent set: %d: %v, a neighbour: %v (%v-%v)", e.name, v, member[v], beside[v], e.src, e.dst)
		}
	}
}

// Every column is the textbook's, with and without betweenness, in any order.
func TestColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 1))
	for _, e := range bothQuestions(append(graphs(random, 2+13/testgraphs.OneIn), deviceGraph())) {
		for i := range 4 {
			names := e.everyMeasure(random, i%2 == 0)
			opts := asking(names...) // directed if the graph is: run1
			opts.Threads, opts.Lanes = 1+i, []int{0, 0, 2, 3}[i]
			checkColumns(t, e, names, run1(t, e, opts))
		}
		names := e.everyMeasure(random, true)
		names = names[1+random.IntN(len(names)-2):][:1]
		checkColumns(t, e, names, run1(t, e, asking(names...)))
	}
}

// Small components do not search each other: the work grows with their number, not with its square.
func TestColumnsOfManyComponents(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 4))
	many := func(components int) *edgeList {
		e := &edgeList{name: "many components"}
		for first, i := 0, 0; i < components; i++ {
			size := 2 + random.IntN(4)
			if i == components/2 {
				size = 300 // a block of its own, between two that share a block
			}
			for v := 1; v < size; v++ {
				e.join(first+v, first+random.IntN(v))
				e.join(first+random.IntN(size), first+v)
			}
			first += size
		}
		return e
	}
	for _, e := range bothQuestions([]*edgeList{many(900)}) {
		names := e.everyMeasure(random, false)
		checkColumns(t, e, names, run1(t, e, asking(names...)))
		work := func(e *edgeList) float64 {
			opts := asking(measures.Eccentricity)
			if opts.Engine, opts.Source = EngineCPU, sourceOf(e); e.directed {
				opts = asking(measures.Eccentricity + measures.In)
				opts.Engine, opts.Source, opts.Question.Directed = EngineCPU, sourceOf(e), true
			}
			info, err := Inspect(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			return info.EstimatedWork
		}
		more := many(7200)
		more.directed = e.directed
		if few, many := work(e), work(more); many > 9*few {
			t.Errorf("directed %v: 8 times the components are %.3g times the work", e.directed, many/few)
		}
	}
}

// Betweenness has the same bits with and without other columns.
func TestColumnsLeaveBetweennessAlone(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 2))
	for _, e := range append(graphs(random, 4), deviceGraph()) {
		alone := scoresIn(run1(t, e, Options{}))
		if got := scoresIn(run1(t, e, asking(e.everyMeasure(random, true)...))); !slices.Equal(got, alone) {
			t.Errorf("%s: %v, alone %v", e.name, got, alone)
		}
	}
}

// Shards and checkpoints of columns give the whole run's table.
func TestColumnsInParts(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 3))
	for _, e := range bothQuestions(append(graphs(random, 1+5/testgraphs.OneIn), deviceGraph())) {
		for _, betweenness := range []bool{true, false} {
			names := e.everyMeasure(random, betweenness)
			opts := asking(names...)
			opts.Lanes = 2
			whole := run1(t, e, opts)
			const of = 4
			var parts []tables.Table
			for i := range of {
				opts.Shard = Shard{Mine: []int{i}, Of: of}
				parts = append(parts, run1(t, e, opts))
			}
			opts.Shard, opts.Resume = Shard{}, &parts[random.IntN(of)]
			resumed := run1(t, e, opts)
			random.Shuffle(of, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			merged, err := tryMerge(parts, Output{})
			if err != nil {
				t.Fatalf("%s: %v", e.name, err)
			}
			for how, got := range map[string]tables.Table{"merged": merged, "resumed": resumed} {
				if !reflect.DeepEqual(got.Columns, whole.Columns) {
					t.Errorf("%s, %s: %v, want %v", e.name, how, got.Columns, whole.Columns)
				}
			}
			checkColumns(t, e, names, merged)
		}
	}
}

// Parts for other columns do not match, even if the columns need no search.
func TestMergeRefusesOtherColumns(t *testing.T) {
	e := deviceGraph()
	part := func(i int, names ...string) tables.Table {
		opts := asking(names...)
		opts.Lanes, opts.Shard = 2, Shard{Mine: []int{i}, Of: 2}
		return run1(t, e, opts)
	}
	for want, parts := range map[string][]tables.Table{
		"other columns: betweenness,degree against betweenness":           {part(0), part(1, "betweenness", "degree")},
		"other columns: closeness,harmonic against harmonic,closeness":    {part(0, "harmonic", "closeness"), part(1, "closeness", "harmonic")},
		"--columns farness against --columns eccentricity":                {part(0, "eccentricity"), part(1, "closeness")},
		"--columns betweenness,farness against no --columns":              {part(0), part(1, "closeness", "betweenness")},
		"other columns: closeness_classic against closeness,component,ra": {part(0, "closeness", "component", "rank"), part(1, "closeness_classic")},
	} {
		if _, err := tryMerge(parts, Output{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// Rows are sorted by the first score column within each graph.
func TestColumnsSorted(t *testing.T) {
	in := tables.Options{Stdin: strings.NewReader("g,src,dst\nb,1,2\na,1,2\na,2,3\na,2,4\nb,5,5\n"), By: []string{"g"}}
	opts := asking(measures.Farness, measures.Rank, measures.Closeness, measures.Component)
	opts.Read, opts.Files, opts.Sort = arrowio.Read, in, ByScore
	var table tables.Table
	if _, err := Run(t.Context(), opts, into(&table)); err != nil {
		t.Fatal(err)
	}
	// In first-seen order: b1 b2 a1 a2 a3 a4 b5.
	for i, want := range []tables.Values{
		tables.Ints{1, 1, 5, 3, 5, 5, 0}, tables.Ints{1, 1, 1, 4, 1, 1, 3},
		tables.Floats{.5, .5, 3. / 5, 1, 3. / 5, 3. / 5, 0}, tables.Ints{0, 0, 1, 1, 1, 1, 2},
	} {
		if !reflect.DeepEqual(table.Columns[i].Values, want) {
			t.Errorf("%s: %v, want %v", table.Columns[i].Name, table.Columns[i].Values, want)
		}
	}
	if want := []uint32{0, 1, 6, 2, 4, 5, 3}; !slices.Equal(table.Order, want) {
		t.Errorf("order %v, want %v", table.Order, want)
	}
}

// Sources of all kinds of searches are verified if that is asked for.
func TestColumnsVerified(t *testing.T) {
	for _, names := range [][]string{{measures.Closeness}, {measures.Betweenness, measures.Eccentricity}} {
		opts := asking(names...)
		opts.Engine, opts.Lanes, opts.Verify, opts.Source = EngineCPU, 2, 40, sourceOf(deviceGraph())
		stats, err := Run(t.Context(), opts, into(new(tables.Table)))
		if err != nil || stats.Verification.Sources != 40 {
			t.Errorf("%q: %+v, %v", names, stats, err)
		}
	}
}

// Betweenness has the same name everywhere.
func TestBetweennessIsRegistered(t *testing.T) {
	if m := measures.All()[0]; m.Name != measures.Betweenness || m.Column != tables.ScoreColumn {
		t.Errorf("registered is %+v, written %q", m, tables.ScoreColumn)
	}
}
