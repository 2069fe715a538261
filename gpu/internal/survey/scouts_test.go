package survey

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
)

// oneByOne is the textbook's search from one source.
func oneByOne(b *preprocess.Block, source uint32) (depth, widest int, most float64) {
	distance, paths := make([]int, b.Vertices()), make([]float64, b.Vertices())
	for v := range distance {
		distance[v] = -1
	}
	distance[source], paths[source] = 0, 1
	for level := []uint32{source}; len(level) > 0; depth++ {
		widest = max(widest, len(level))
		var next []uint32
		for _, u := range level {
			if b.Multiplicity != nil && u != source {
				paths[u] *= b.Multiplicity[u]
			}
			most = max(most, paths[u])
			for _, v := range b.Neighbours(u) {
				if distance[v] < 0 {
					distance[v] = depth + 1
					next = append(next, v)
				}
				if distance[v] == depth+1 {
					paths[v] += paths[u]
				}
			}
		}
		level = next
	}
	return depth - 1, widest, most
}

// Scouts with wide levels, narrow ones and both, on one thread and on several,
// agree with the textbook's search.
func TestScouts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	hubs := testblocks.Of(9000, testgraphs.Join(testgraphs.Hubs(3, 8990), testgraphs.Path(8992, 8999)), 64)
	twins := testblocks.Of(6000, testgraphs.Random(r, 6000, 6000, 30000), 64)
	twins.Multiplicity = make([]float64, twins.Vertices())
	for v := range twins.Multiplicity {
		twins.Multiplicity[v] = float64(1 + r.IntN(3))
	}
	arcs := make([]testgraphs.Edge, 30000)
	for i := range arcs {
		arcs[i] = testgraphs.Edge{uint32(r.IntN(9000)), uint32(r.IntN(9000))}
	}
	blocks := map[string]*preprocess.Block{
		"grid": testblocks.Of(5600, testgraphs.Grid(70, 80), 64), "long": testblocks.Of(9000, testgraphs.Grid(3, 3000), 64), "random": testblocks.Of(9000, testgraphs.Random(r, 9000, 9000, 40000), 64),
		"hubs": hubs, "twins": twins, "arcs": testblocks.Directed(9000, arcs, 64),
		"one": testblocks.Of(1, nil, 64), "parts": testblocks.Of(5, []testgraphs.Edge{{0, 1}, {2, 3}}, 64),
	}
	for name, b := range blocks {
		var depths []int
		widest, paths := 0, 0.0
		for i := range Sources {
			d, w, p := oneByOne(b, b.Sources[i*len(b.Sources)/Sources])
			depths, widest, paths = append(depths, d), max(widest, w), max(paths, p)
		}
		slices.Sort(depths)
		for _, threads := range []int{1, 2, 9} {
			s, err := Look(t.Context(), b, threads)
			if err != nil || s.Median != depths[1] || s.Most != depths[2] || s.widest != widest || !(math.Abs(s.Paths-paths) <= 1e-12*paths) {
				t.Errorf("%s, %d threads: %+v, %v; want depths %v, %d wide, %g paths", name, threads, s, err, depths, widest, paths)
			}
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Look(over, blocks["random"], 4); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
