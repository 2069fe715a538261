package preprocess

import (
	"context"
	"runtime"
	"testing"

	"bcstage/internal/budget"
	"bcstage/internal/csr"
	"bcstage/internal/measures"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// Bytes is the memory that the plan really holds, and no more than docs/tuning.md says.
func TestPlanBytes(t *testing.T) {
	for name, g := range map[string]*csr.Graph{
		"mesh":       graphOf(120*120, testgraphs.Grid(120, 120)),
		"smallworld": smallWorld(20_000, 6, .1),
		"kron":       kron(13, 8),
	} {
		p, err := Reduce(context.Background(), g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		bytes := p.Bytes()
		bound := int64(8 * p.Vertices)
		for i := range p.Blocks {
			bound += int64(4*len(p.Blocks[i].Targets)+26*p.Blocks[i].Vertices()) + 8
		}
		bound += budget.Held(p.Batches) + budget.Held(p.Blocks) + 16<<10 // arrays end on pages
		if bytes > bound {
			t.Errorf("%s: %d bytes, more than %d", name, bytes, bound)
		}
		with := heap()
		runtime.KeepAlive(p)
		p = nil
		freed := with - heap()
		if float64(freed) < .9*float64(bytes) || float64(freed) > 1.1*float64(bytes)+32<<10 {
			t.Errorf("%s: %d bytes freed, %d told", name, freed, bytes)
		}
		runtime.KeepAlive(g)
	}
}

// Blocks for distances share the list of their vertices, and in a directed graph rows;
// these count once.
func TestPlanBytesOfDistances(t *testing.T) {
	const parts, size = 300, 300
	var edges []edge
	for part := range uint32(parts) {
		for _, e := range testgraphs.Band(size, 1, 7) {
			edges = append(edges, edge{e[0] + part*size, e[1] + part*size})
		}
	}
	for _, directed := range []bool{false, true} {
		g, q := graphOf(parts*size, edges), question.Question{Measures: []string{measures.Farness}}
		if directed {
			g, q = digraphOf(parts*size, edges), question.Question{Directed: true, Measures: []string{measures.Farness + measures.In, measures.Farness + measures.Out}}
		}
		p, err := Reduce(t.Context(), g, Options{Question: q})
		if err != nil {
			t.Fatal(err)
		}
		bytes, with := p.Bytes(), heap()
		runtime.KeepAlive(p)
		p = nil
		if freed := with - heap(); float64(freed) < .9*float64(bytes) || float64(freed) > 1.15*float64(bytes)+32<<10 {
			t.Errorf("directed %t: %d bytes freed, %d told", directed, freed, bytes)
		}
		runtime.KeepAlive(g)
	}
}

// heap is the memory in use, garbage left out.
func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // memory released by finalizers
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
