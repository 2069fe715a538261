package preprocess

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/testgraphs"
)

// figures explain the speed of a batch: how often a vertex is in a frontier,
// and how often an edge makes the engine read a row of lanes. With all lanes at
// the same level they are 1 and 2 (a forward pass and a backward pass).
type figures struct {
	entries, rows int64
}

func (f *figures) add(g figures) {
	f.entries += g.entries
	f.rows += g.rows
}

// count goes through the levels of a batch as an engine does, without numbers.
// A source starts later the nearer it is, by the levels it is nearer than the
// farthest.
func count(g *csr.Graph, sources []uint32, farness []uint16) figures {
	n := g.Vertices()
	start := make([]int, len(sources))
	if farness != nil {
		farthest := uint16(0)
		for _, s := range sources {
			farthest = max(farthest, farness[s])
		}
		for lane, s := range sources {
			start[lane] = int(farthest - farness[s])
		}
	}
	seen, now, next := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	var frontier, coming []uint32
	var f figures
	for level, waiting := 0, len(sources); waiting > 0 || len(frontier) > 0; level++ {
		for lane, s := range sources {
			if start[lane] == level {
				if now[s] == 0 {
					frontier = append(frontier, s)
				}
				seen[s] |= 1 << lane
				now[s] |= 1 << lane
				waiting--
			}
		}
		f.entries += int64(len(frontier))
		for _, u := range frontier {
			for _, v := range g.Neighbours(u) {
				if fresh := now[u] &^ seen[v]; fresh != 0 {
					if next[v] == 0 {
						coming = append(coming, v)
					}
					next[v] |= fresh
					f.rows += 2 // forward, v reads u; backward, u reads v
				}
			}
		}
		for _, u := range frontier {
			now[u] = 0
		}
		for _, v := range coming {
			seen[v] |= next[v]
		}
		now, next = next, now
		frontier, coming = coming, frontier[:0]
	}
	return f
}

func smallWorld(n, k int, p float64) *csr.Graph {
	r := rand.New(rand.NewPCG(7, 8))
	var edges []edge
	for v := range n {
		for i := 1; i <= k/2; i++ {
			u := (v + i) % n
			if r.Float64() < p {
				u = r.IntN(n)
			}
			edges = append(edges, edge{uint32(v), uint32(u)})
		}
	}
	shuffled := r.Perm(n)
	for i, e := range edges {
		edges[i] = edge{uint32(shuffled[e[0]]), uint32(shuffled[e[1]])}
	}
	return graphOf(n, edges)
}

// kron is an R-MAT graph with the parameters of Graph500.
func kron(scale, factor int) *csr.Graph {
	r := rand.New(rand.NewPCG(9, 10))
	shuffled := r.Perm(1 << scale)
	edges := building.Keys{Ints: make([]uint64, factor<<scale)}
	ends := building.Keys{Ints: make([]uint64, factor<<scale)}
	for i := range edges.Ints {
		u, v := 0, 0
		for range scale {
			x := r.Uint32() >> 16
			u, v = u<<1, v<<1
			switch {
			case x < 37356: // .57
			case x < 49807: // .19
				v |= 1
			case x < 62259: // .19
				u |= 1
			default:
				u, v = u|1, v|1
			}
		}
		edges.Ints[i], ends.Ints[i] = uint64(shuffled[u]), uint64(shuffled[v])
	}
	b := building.NewBuilder(0)
	if err := b.AddEdges(edges, ends); err != nil {
		panic(err)
	}
	input, err := b.Build(context.Background())
	if err != nil {
		panic(err)
	}
	return &input.Graph
}

// benchmarkGraph makes or reads a graph.
func benchmarkGraph(b *testing.B, name string) *csr.Graph {
	switch name {
	case "smallworld":
		return smallWorld(100_000, 10, .1)
	case "kron14":
		return kron(14, 16)
	case "kron20":
		return kron(20, 16)
	case "grid128":
		return graphOf(128*128, testgraphs.Grid(128, 128))
	}
	return realGraph(b, name)
}

// BenchmarkLocality reports the figures of the largest block of a graph.
func BenchmarkLocality(b *testing.B) {
	for _, name := range []string{"delaunay_n16.graph.gz", "t60k.graph.gz", "facebook_combined.txt.gz", "smallworld", "kron14", "grid128", "power.graph.gz", "luxembourg.osm.graph.gz"} {
		for _, lanes := range []int{16, 32, 64} {
			b.Run(fmt.Sprintf("%s/%d", name, lanes), func(b *testing.B) {
				g := benchmarkGraph(b, name)
				p, err := Reduce(context.Background(), g, Options{Lanes: lanes})
				if err != nil {
					b.Fatal(err)
				}
				block := &p.Blocks[0]
				var total figures
				batches := 0
				for b.Loop() {
					total, batches = figures{}, 0
					all := (block.Vertices() + lanes - 1) / lanes
					for i := 0; i < all; i += max(all/60, 1) {
						batch := p.Batches[i]
						total.add(count(&block.Graph, block.Sources[batch.First:batch.First+batch.Count], block.Farness))
						batches++
					}
				}
				b.ReportMetric(float64(total.entries)/float64(batches)/float64(block.Vertices()), "entries/vertex")
				b.ReportMetric(float64(total.rows)/float64(batches)/float64(block.Edges()), "rows/edge")
			})
		}
	}
}
