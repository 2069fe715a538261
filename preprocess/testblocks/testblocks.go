// Package testblocks makes blocks and plans of test graphs without the reductions,
// for tests of engines.
package testblocks

import (
	"slices"

	"bcstage/preprocess"
	"bcstage/preprocess/testgraphs"
)

// Of makes one block of all n vertices and the given edges, masses 1, with
// sources in breadth-first order from vertex 0.
func Of(n int, edges []testgraphs.Edge, lanes int) *preprocess.Block {
	b := &preprocess.Block{Lanes: lanes, From: slices.Repeat([]float64{1}, n)}
	b.To = b.From
	b.Offsets, b.Targets = testgraphs.Rows(n, edges)
	seen := make([]bool, n)
	for root := range uint32(n) {
		if seen[root] {
			continue
		}
		seen[root] = true
		head := len(b.Sources)
		for b.Sources = append(b.Sources, root); head < len(b.Sources); head++ {
			for _, v := range b.Neighbours(b.Sources[head]) {
				if !seen[v] {
					seen[v] = true
					b.Sources = append(b.Sources, v)
				}
			}
		}
	}
	return b
}

// Plan cuts the sources of each block into batches.
func Plan(blocks ...*preprocess.Block) *preprocess.Plan {
	p := &preprocess.Plan{BlockCount: len(blocks)}
	for i, b := range blocks {
		p.Blocks = append(p.Blocks, *b)
		p.Vertices += b.Vertices()
		p.Edges += b.Edges()
		p.LargestBlock = max(p.LargestBlock, b.Vertices())
		for first := 0; first < len(b.Sources); first += b.Lanes {
			p.Batches = append(p.Batches, preprocess.Batch{Index: len(p.Batches), Block: i,
				First: first, Count: min(b.Lanes, len(b.Sources)-first)})
		}
	}
	return p
}
