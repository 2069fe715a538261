package pipeline

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/cpu"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// sameBits reports whether two columns are equal to the bit.
func sameBits(a, b tables.Values) bool {
	x, y := a.Numbers(), b.Numbers()
	return a.Len() == b.Len() && slices.EqualFunc(x, y, func(p, q float64) bool { return math.Float64bits(p) == math.Float64bits(q) })
}

// columnOf returns a column by name, which must exist.
func columnOf(t *testing.T, table *tables.Table, name string) tables.Values {
	t.Helper()
	for _, c := range table.Columns {
		if c.Name == name {
			return c.Values
		}
	}
	t.Fatalf("no column %q among %v", name, table.Columns)
	return nil
}

// holdCutoffs compares every column of a run with several cutoffs with runs with one, and returns the number of
// comparisons.
func holdCutoffs(t *testing.T, what string, options func() Options, cutoffs ...string) (held int) {
	t.Helper()
	run := func(cutoff string) (vertices, edges tables.Table, failed error) {
		opts := options()
		opts.Question.Cutoff = cutoff
		if opts.Question.Edges {
			opts.Edges = into(&edges)
		}
		_, failed = Run(t.Context(), opts, into(&vertices))
		return vertices, edges, failed
	}
	all, allEdges, err := run(strings.Join(cutoffs, ","))
	if err != nil {
		if !errors.Is(err, engine.ErrWalk) {
			t.Fatalf("%s: %v", what, err)
		}
		return 0
	}
	for _, cutoff := range cutoffs {
		one, oneEdges, err := run(cutoff)
		if errors.Is(err, engine.ErrWalk) {
			continue // this cutoff suits the walk nowhere, but another does
		}
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, two := range [][2]tables.Table{{one, all}, {oneEdges, allEdges}} {
			for _, c := range two[0].Columns {
				name := strings.TrimSuffix(c.Name, "_centrality") + "_" + cutoff
				if strings.HasPrefix(c.Name, measures.Degree) || c.Name == measures.ComponentSize {
					name = c.Name
				}
				if !sameBits(columnOf(t, &two[1], name), c.Values) {
					t.Fatalf("%s: column %s: %v, within %s alone %v", what, name, columnOf(t, &two[1], name), cutoff, c.Values)
				}
				held++
			}
		}
	}
	return held
}

// With several cutoffs, every column is that of a run with its cutoff alone, to the bit: by every walk that suits, with
// masses and without, for vertices and edges, and for measures of distances.
func TestCutoffs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 31))
	walks := append([]string{"auto", "auto"}, cpu.Walks()...)
	held := 0
	for range 400 {
		g := anyTrips(random)
		sides, walk := []string{"", "ab", "a"}[random.IntN(3)], walks[random.IntN(len(walks))]
		edges, lanes := random.IntN(3) == 0, []int{0, 0, 3}[random.IntN(3)]
		others, reached, spread := random.IntN(3) == 0, random.IntN(2) == 0, []string{"", question.ConstrainedOrigins}[random.IntN(2)]
		var cutoffs []string
		for k := range 9 {
			if random.IntN(3) == 0 {
				cutoffs = append(cutoffs, strconv.Itoa(k))
			}
		}
		if len(cutoffs) < 2 {
			cutoffs = []string{"2", "1000"}
		}
		held += holdCutoffs(t, "walk "+walk, func() Options {
			opts := g.options(t, sides)
			opts.Walk, opts.Lanes, opts.Question.Edges, opts.Threads, opts.Verify = walk, lanes, edges, 2, 2
			if others && g.directed {
				opts.Question.Measures = []string{"betweenness", "closeness_in", "harmonic_out", "degree_in", "reach_out"}
			} else if others {
				opts.Question.Measures = []string{"harmonic", "betweenness", "closeness", "eccentricity", "component_size"}
			} else if reached && !edges {
				opts.Question.Measures = append([]string{"betweenness"}, reachedColumns...)
				opts.Question.Decay.Share, opts.Question.Gravity.Constrained, opts.Question.Endpoints = "power:0.5", spread, false
			}
			return opts
		}, cutoffs...)
	}
	if held < 800 {
		t.Errorf("%d columns were held against those of a run with one cutoff", held)
	}
}

// asText returns the options of a run on the cores that reads the graph as text, with lengths or without.
func (e *edgeList) asText(lengths bool) Options {
	var text strings.Builder
	text.WriteString("src,dst,m\n")
	for i := range e.src {
		fmt.Fprintf(&text, "%d,%d,%d\n", e.src[i], e.dst[i], 1+i*7%5)
	}
	opts := Options{Input: Input{Read: arrowio.Read, Files: tables.Options{Stdin: strings.NewReader(text.String()), Format: tables.FormatCSV}}}
	opts.Engine, opts.Question.Directed = EngineCPU, e.directed
	if opts.Files.IgnoreWeight = !lengths; lengths {
		opts.Question.Lengths.Column = "m"
	}
	return opts
}

// The same for larger graphs, whose batches are searched by bits or all at once.
func TestCutoffsOfLargerGraphs(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 31))
	list := append(graphs(random, 1+20/testgraphs.OneIn), listed("grid", testgraphs.Grid(40, 40)), listed("band", testgraphs.Band(300, 7, 3)))
	for _, e := range bothQuestions(list) {
		for _, weight := range []bool{false, true} {
			if holdCutoffs(t, e.name, func() Options { return e.asText(weight) }, "2", "3", "5", "9", "20", "1000") == 0 {
				t.Errorf("%s: nothing was held", e.name)
			}
		}
	}
}

// Shards, the rest of a checkpoint and merged parts give the columns of one cutoff: sums are kept by column.
func TestCutoffsInParts(t *testing.T) {
	e := listed("grid", testgraphs.Grid(12, 9))
	options := func() Options {
		opts := e.asText(false)
		opts.Question.Cutoff, opts.Question.Edges = "2,3,50", true
		opts.Question.Measures = []string{"betweenness", "farness"}
		return opts
	}
	var whole, wholeEdges, merged, mergedEdges tables.Table
	opts := options()
	opts.Edges = into(&wholeEdges)
	if _, err := Run(t.Context(), opts, into(&whole)); err != nil {
		t.Fatal(err)
	}
	var parts []tables.Table
	for i := range 3 {
		opts := options()
		opts.Shard = Shard{Mine: []int{i}, Of: 3}
		var part tables.Table
		if _, err := Run(t.Context(), opts, into(&part)); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part)
	}
	next := func() (tables.Table, bool, error) {
		if len(parts) == 0 {
			return tables.Table{}, false, nil
		}
		part := parts[0]
		parts = parts[1:]
		return part, true, nil
	}
	if _, err := Merge(t.Context(), next, Output{Edges: into(&mergedEdges)}, into(&merged)); err != nil {
		t.Fatal(err)
	}
	for _, two := range [][2]tables.Table{{whole, merged}, {wholeEdges, mergedEdges}} {
		if len(two[0].Columns) < 3 || len(two[0].Columns) != len(two[1].Columns) {
			t.Fatalf("%d columns, merged %d", len(two[0].Columns), len(two[1].Columns))
		}
		for i, c := range two[0].Columns {
			if got := two[1].Columns[i]; got.Name != c.Name || !sameBits(got.Values, c.Values) {
				t.Errorf("column %s: %v, merged %s %v", c.Name, c.Values, got.Name, got.Values)
			}
		}
	}
}

// Questions without an answer for several cutoffs are refused by name.
func TestCutoffsRefused(t *testing.T) {
	e := listed("grid", testgraphs.Grid(3, 3))
	for name, refused := range map[string]func(o *Options){
		"twice":    func(o *Options) { o.Question.Cutoff = "2,2" },
		"want":     func(o *Options) { o.Question.Cutoff = "3,2" },
		"decimal":  func(o *Options) { o.Question.Cutoff = "3,,4" },
		"whole":    func(o *Options) { o.Question.Cutoff = "1.5,2" },
		"at most":  func(o *Options) { o.Question.Cutoff = strings.TrimSuffix(strings.Repeat("1,", 65), ",") },
		"estimate": func(o *Options) { o.Question.Cutoff, o.Question.Sample = "2,3", question.Sample{Way: "auto", Eps: 0.1} },
	} {
		opts := e.asText(false)
		refused(&opts)
		if _, err := Run(t.Context(), opts, into(new(tables.Table))); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
