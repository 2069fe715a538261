package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/preprocess"
)

// blockOf makes one block of all n vertices and the given edges, weights 1,
// with sources in breadth-first order from vertex 0.
func blockOf(n int, edges [][2]uint32, lanes int) *preprocess.Block {
	lists := make([][]uint32, n)
	for _, e := range edges {
		if e[0] != e[1] {
			lists[e[0]] = append(lists[e[0]], e[1])
			lists[e[1]] = append(lists[e[1]], e[0])
		}
	}
	b := &preprocess.Block{Lanes: lanes, From: slices.Repeat([]float64{1}, n)}
	b.To = b.From
	b.Offsets = append(b.Offsets, 0)
	for _, list := range lists {
		slices.Sort(list)
		b.Targets = append(b.Targets, slices.Compact(list)...)
		b.Offsets = append(b.Offsets, int64(len(b.Targets)))
	}
	seen := make([]bool, n)
	for root := range uint32(n) {
		if seen[root] {
			continue
		}
		seen[root] = true
		first := len(b.Sources)
		b.Sources = append(b.Sources, root)
		for head := first; head < len(b.Sources); head++ {
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

// planOf cuts the sources of each block into batches.
func planOf(blocks ...*preprocess.Block) *preprocess.Plan {
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

// randomBlock is connected: a random tree and some more edges.
func randomBlock(r *rand.Rand, n, extra, lanes int) *preprocess.Block {
	var edges [][2]uint32
	for v := 1; v < n; v++ {
		edges = append(edges, [2]uint32{uint32(v), uint32(r.IntN(v))})
	}
	for range extra {
		edges = append(edges, [2]uint32{uint32(r.IntN(n)), uint32(r.IntN(n))})
	}
	b := blockOf(n, edges, lanes)
	twoMasses(r, b)
	for v := range n {
		b.From[v] = float64(1 + r.IntN(5)*r.IntN(5))
	}
	return b
}

// twoMasses gives half of the blocks target masses of their own, of which some
// are 0.
func twoMasses(r *rand.Rand, b *preprocess.Block) {
	if r.IntN(2) == 0 {
		return
	}
	b.To = make([]float64, b.Vertices())
	for v := range b.To {
		b.To[v] = float64(r.IntN(4) * r.IntN(5))
	}
}

// grid is rows x columns with edges between sides that touch.
func grid(rows, columns, lanes int) *preprocess.Block {
	var edges [][2]uint32
	for i := range rows {
		for j := range columns {
			v := uint32(i*columns + j)
			if j+1 < columns {
				edges = append(edges, [2]uint32{v, v + 1})
			}
			if i+1 < rows {
				edges = append(edges, [2]uint32{v, v + uint32(columns)})
			}
		}
	}
	return blockOf(rows*columns, edges, lanes)
}

// layered joins each of depth layers of width vertices completely to the next:
// width^(depth-2) paths from one end to the other.
func layered(width, depth, lanes int) *preprocess.Block {
	var edges [][2]uint32
	for layer := range depth - 1 {
		for i := range width {
			for j := range width {
				edges = append(edges, [2]uint32{uint32(layer*width + i), uint32((layer+1)*width + j)})
			}
		}
	}
	return blockOf(width*depth, edges, lanes)
}

// diamonds is a chain of k squares joined at opposite corners: 2^k paths.
func diamonds(k, lanes int) *preprocess.Block {
	var edges [][2]uint32
	for i := range uint32(k) {
		a := 3 * i
		edges = append(edges, [2]uint32{a, a + 1}, [2]uint32{a, a + 2}, [2]uint32{a + 1, a + 3}, [2]uint32{a + 2, a + 3})
	}
	return blockOf(3*k+1, edges, lanes)
}

func wantClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*max(1, math.Abs(want[i]))) {
			t.Fatalf("%s: [%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}
