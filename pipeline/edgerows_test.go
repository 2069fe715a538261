package pipeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// TestEdgeRows asks for scores of edges by row, for graphs where some edges run one way, in any order of the rows. Each
// row has the sum over its arcs: by definition or, with lengths, in a graph of these arcs.
func TestEdgeRows(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 31))
	scores := func(text, weight, oneWay string, directed bool) (map[[2]int64]float64, tables.Table) {
		t.Helper()
		opts := Options{Question: question.Question{Directed: directed, Edges: true, Lengths: question.Lengths{Column: weight}}}
		opts.Read, opts.Files.Stdin, opts.Files.Format = arrowio.Read, strings.NewReader(text), tables.FormatCSV
		opts.Files.OneWay, opts.Files.IgnoreWeight = oneWay, weight == ""
		if oneWay != "" {
			opts.Files.EdgeKeep = []string{"row", "metres", "way"}
		}
		opts.Device, opts.Threads = "cpu", 1+r.IntN(2)
		var table tables.Table
		opts.Edges = into(&table)
		var vertices tables.Table
		if _, err := Run(t.Context(), opts, into(&vertices)); err != nil {
			t.Fatal(err)
		}
		of := map[[2]int64]float64{}
		for i, score := range edgeScores(table) {
			of[[2]int64{int64(table.IDs.Ints[table.Pairs.Ends[0][i]]), int64(table.IDs.Ints[table.Pairs.Ends[1][i]])}] = score
		}
		return of, table
	}
	words := map[int][]string{1: {"yes", "True", "1"}, 0: {"no", "", "false"}, -1: {"-1", "reverse"}}
	for round, g := range graphs(r, 400/testgraphs.OneIn) {
		weight := []string{"", "metres"}[round%2]
		arcs := &edgeList{directed: true}
		var rows, expanded []string
		ways, lengths := make([]int, len(g.src)), make([]int, len(g.src))
		shortest := map[[2]int64]int{}
		arc := func(i int, u, v int64) {
			arcs.join(int(u), int(v))
			expanded = append(expanded, fmt.Sprintf("%d,%d,%d", u, v, lengths[i]))
			if before, some := shortest[[2]int64{u, v}]; !some || lengths[i] < before {
				shortest[[2]int64{u, v}] = lengths[i]
			}
		}
		for i, u := range g.src {
			ways[i], lengths[i] = r.IntN(3)-1, 1+r.IntN(3)
			texts := words[ways[i]]
			rows = append(rows, fmt.Sprintf("%d,%d,%d,%s,%d", u, g.dst[i], lengths[i], texts[r.IntN(len(texts))], i))
			if ways[i] >= 0 {
				arc(i, u, g.dst[i])
			}
			if ways[i] <= 0 {
				arc(i, g.dst[i], u)
			}
		}
		want := arcs.edgeOracle()
		if weight != "" {
			want, _ = scores("src,dst,metres\n"+strings.Join(expanded, "\n")+"\n", weight, "", true)
		}
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		_, table := scores("src,dst,metres,way,row\n"+strings.Join(rows, "\n")+"\n", weight, "way", false)
		if table.Rows() != len(rows) || len(table.Kept) != 3 {
			t.Fatalf("%s: %d rows of %d, %d kept columns", g.name, table.Rows(), len(rows), len(table.Kept))
		}
		for at, got := range edgeScores(table) {
			keys, i := table.Kept[0].Keys, 0
			fmt.Sscan(string(keys.Bytes[keys.Offsets[at]:keys.Offsets[at+1]]), &i)
			u, v, sum := g.src[i], g.dst[i], 0.0
			if ends := table.Pairs.Ends; int64(table.IDs.Ints[ends[0][at]]) != u || int64(table.IDs.Ints[ends[1][at]]) != v {
				t.Fatalf("%s: row %d has other ends", g.name, at)
			}
			for _, arc := range [][2]int64{{u, v}, {v, u}} {
				if (arc == [2]int64{u, v} && ways[i] >= 0 || arc == [2]int64{v, u} && ways[i] <= 0) && (weight == "" || lengths[i] == shortest[arc]) && u != v {
					sum += want[arc]
				}
			}
			if math.Abs(got-sum) > 1e-12*max(1, sum) {
				t.Errorf("%s: row %d, %d to %d, way %d: %v, want %v", g.name, i, u, v, ways[i], got, sum)
			}
		}
	}
}

// Rows of edges need a table of edges.
func TestEdgeRowsRefused(t *testing.T) {
	for says, change := range map[string]func(*Options){
		"scores of edges are not asked for": func(o *Options) { o.Edges = nil },
		"a partial result":                  func(o *Options) { o.Partial = true },
		`"src"`:                             func(o *Options) { o.Files.EdgeKeep = []string{"src"} },
	} {
		var table tables.Table
		opts := Options{}
		opts.Read, opts.Files.Stdin, opts.Files.EdgeKeep = arrowio.Read, strings.NewReader("src,dst,x\n1,2,3\n"), []string{"x"}
		opts.Edges = into(&table)
		change(&opts)
		if _, err := Run(t.Context(), opts, into(&table)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
