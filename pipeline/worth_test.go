package pipeline

import (
	"slices"
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Devices start while edges are read where cores would need long.
func TestDevicesAreWorthReading(t *testing.T) {
	rows := func(up, down int) (s shape) {
		for range up {
			s.add([]uint64{1, 2}, []uint64{700, 2}) // and one from a vertex to itself
		}
		for range down {
			s.add([]uint64{700}, []uint64{1})
		}
		return s
	}
	mesh := rows(1, 0)
	for id := range uint64(9) {
		mesh.add([]uint64{id, id + 1}, []uint64{id + 1, id})
	}
	closeness := []string{measures.Closeness}
	for name, c := range map[string]struct {
		question question.Question
		rows     shape
		worth    int // most threads, with 40 000 vertices and 100 000 edges
	}{
		"plain":            {question.Question{}, shape{}, 8},
		"lengths":          {question.Question{Lengths: question.Lengths{Column: "w"}}, shape{}, 32},
		"edges":            {question.Question{Edges: true}, shape{}, 20},
		"edges by lengths": {question.Question{Edges: true, Lengths: question.Lengths{Column: "w"}}, shape{}, 0},
		"repeats":          {question.Question{Lengths: question.Lengths{Repeats: question.RepeatsKeep}}, shape{}, 0},
		"closeness":        {question.Question{Measures: closeness}, shape{}, 0},
		"cutoff":           {question.Question{Cutoff: "3"}, shape{}, 0},
		"decay":            {question.Question{Decay: question.Decay{Share: "exp:0.1"}}, shape{}, 8},
		"table":            {question.Question{Decay: question.Decay{Share: "table:1=1,3=0.5"}}, shape{}, 0},
		"floor":            {question.Question{Decay: question.Decay{Share: "exp:0.1", Floor: 0.01}}, shape{}, 0},
		"estimate":         {question.Question{Sample: question.Sample{Way: "auto"}}, shape{}, 0},

		"mesh":                         {question.Question{}, mesh, 16},
		"mesh, closeness":              {question.Question{Measures: closeness}, mesh, 8},
		"mesh, lengths":                {question.Question{Lengths: question.Lengths{Column: "w"}}, mesh, 64},
		"mesh, directed closeness":     {question.Question{Measures: closeness, Directed: true}, mesh, 4},
		"mesh, closeness by lengths":   {question.Question{Measures: closeness, Lengths: question.Lengths{Column: "w"}}, mesh, 0},
		"mesh, closeness and a cutoff": {question.Question{Measures: closeness, Cutoff: "9"}, mesh, 0},
		"mesh, degrees":                {question.Question{Measures: []string{measures.Degree}}, mesh, 0},

		"ordered, undirected": {question.Question{}, rows(4, 0), 8},
		"directed, texts":     {question.Question{Directed: true}, shape{}, 4},
		"directed, any order": {question.Question{Directed: true}, rows(2, 2), 4},
		"directed, ordered":   {question.Question{Directed: true}, rows(0, 4), 0},
		"directed, mostly":    {question.Question{Directed: true}, rows(3, 1), 4},
	} {
		for threads := 1; threads < 80; threads++ {
			if got := worthReading(c.question, 40_000, 100_000, &c.rows, threads); got != (threads <= c.worth) {
				t.Errorf("%s, %d threads: worth %v while reading", name, threads, got)
			}
		}
	}
	for name, c := range map[string]struct {
		question question.Question
		edges    int64
		want     bool
	}{
		"closeness":             {question.Question{Measures: closeness}, 1_249_999, false},
		"closeness, more edges": {question.Question{Measures: closeness}, 1_250_000, true},
		"directed closeness":    {question.Question{Measures: closeness, Directed: true}, 2_499_998, false},
		"lengths":               {question.Question{Lengths: question.Lengths{Column: "w"}}, 1_249_999, false},
		"lengths, more edges":   {question.Question{Lengths: question.Lengths{Column: "w"}}, 1_250_000, true},
		"hops":                  {question.Question{}, 1_000_000, true},
	} {
		if got := worthReading(c.question, 1_000_000, c.edges, &mesh, 1); got != c.want {
			t.Errorf("a road network, %s: worth %v while reading", name, got)
		}
	}
}

// A cutoff leaves as much of a graph as it reaches: all of a star over two edges, little of a grid. Masses leave the
// vertices that have some.
func TestDevicesAreWorthWhatIsLeft(t *testing.T) {
	graph := func(n int, edges []testgraphs.Edge) (g csr.Graph) {
		g.Offsets, g.Targets = testgraphs.Rows(n, edges)
		return g
	}
	star, grid := graph(30_001, testgraphs.Star(0, 30_000)), graph(22_500, testgraphs.Grid(150, 150))
	long := star
	long.Lengths = make([]int64, len(star.Targets))
	directed := func(n int, edges []testgraphs.Edge) (g csr.Graph) {
		g.In = new(csr.Graph)
		g.Offsets, g.Targets = testgraphs.OutRows(n, edges)
		g.In.Offsets, g.In.Targets = testgraphs.OutRows(n, testgraphs.Reversed(edges))
		return g
	}
	twoWay := testgraphs.Join(testgraphs.Grid(150, 150), testgraphs.Reversed(testgraphs.Grid(150, 150)))
	ones := slices.Repeat([]int64{1}, grid.Vertices())
	few := slices.Clone(ones)
	clear(few[:12_000])
	for name, c := range map[string]struct {
		graph   csr.Graph
		cutoff  string
		masses  [2][]int64
		threads int // most
	}{
		"a star":               {star, "3", [2][]int64{}, 1},
		"a star, one edge":     {star, "1", [2][]int64{}, 0},
		"a star, no cutoff":    {star, "", [2][]int64{}, 0},
		"a star, two cutoffs":  {star, "2,3", [2][]int64{}, 0},
		"a star, with lengths": {long, "3", [2][]int64{}, 0},
		"a grid":               {grid, "3", [2][]int64{}, 0},
		"a grid, far":          {grid, "300", [2][]int64{}, 2},
		"masses":               {grid, "", [2][]int64{ones, nil}, 2},
		"some masses":          {grid, "", [2][]int64{ones, few}, 0},
		"masses, far":          {grid, "300", [2][]int64{ones, ones}, 2},
		"both directions":      {directed(22_500, twoWay), "", [2][]int64{}, 2},
		"but for one":          {directed(22_500, twoWay[1:]), "", [2][]int64{}, 4},
		"nothing":              {csr.Graph{}, "3", [2][]int64{}, 0},
	} {
		q := question.Question{Cutoff: c.cutoff, Directed: c.graph.Directed()}
		if c.masses[0] != nil {
			q.Origins.Column = "people"
		}
		for threads := 1; threads < 6; threads++ {
			if got := worthBuilt(q, &c.graph, c.masses, &shape{}, threads); got != (threads <= c.threads) {
				t.Errorf("%s, %d threads: worth %v", name, threads, got)
			}
		}
	}
}
