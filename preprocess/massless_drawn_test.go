package preprocess

import (
	"testing"

	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Where sources may be drawn, blocks of up to 4 096 sources are contracted, and exact scores are less work.
func TestFewDrawnSourcesAreContracted(t *testing.T) {
	const junctions = 80 * 80
	n, edges := uint32(junctions), []testgraphs.Edge(nil)
	for _, e := range testgraphs.Grid(80, 80) { // each edge with a vertex without mass in the middle
		edges = append(edges, testgraphs.Edge{e[0], n}, testgraphs.Edge{n, e[1]})
		n++
	}
	var g csr.Graph
	g.Offsets, g.Targets = testgraphs.Rows(int(n), edges)
	for v := range n {
		for _, u := range g.Neighbours(v) {
			g.Lengths = append(g.Lengths, 1+int64(u^v)%9)
		}
	}
	for count, want := range map[int]bool{4096: true, 4097: false} {
		masses := make([]int64, n)
		for i := range count {
			masses[i] = 1
		}
		asked := question.Question{Lengths: question.Lengths{Column: "metres"}}
		asked.Origins = question.Masses{Column: "people", Total: int64(count)}
		asked.Destinations = question.Masses{Column: "jobs", Total: int64(count)}
		plan, err := Reduce(t.Context(), &g, Options{Question: asked, Origins: masses, Destinations: masses, Drawn: true, Unsummed: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Blocks[0].HasFlows(); got != want {
			t.Errorf("%d sources: contracted %v, want %v", count, got, want)
		}
	}
}
