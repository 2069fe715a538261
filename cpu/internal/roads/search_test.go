package roads

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testblocks"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess"
	"bcstage/preprocess/question"
)

// network draws a few junctions, chains of any length, and trees and long tails on all kinds of
// vertices. Some chains are loops, and some join the same junctions.
func network(r *rand.Rand, vertices int) (n uint32, edges []testgraphs.Edge) {
	junctions := 1 + uint32(r.IntN(8))
	n = junctions
	longest := 2 + r.IntN(60)
	chain := func(a, b uint32) {
		length := 1 + r.IntN(longest)
		if a == b {
			length += 2
		}
		for range length - 1 {
			edges = append(edges, testgraphs.Edge{a, n})
			a = n
			n++
		}
		edges = append(edges, testgraphs.Edge{a, b})
	}
	for j := uint32(1); j < junctions; j++ {
		chain(j, r.Uint32N(j))
	}
	for range 1 + r.IntN(6) {
		chain(r.Uint32N(junctions), r.Uint32N(junctions))
	}
	for int(n) < vertices {
		on := r.Uint32N(n)
		for range 1 + r.IntN(1+r.IntN(12)) {
			edges = append(edges, testgraphs.Edge{on, n})
			if r.IntN(3) > 0 {
				on = n
			}
			n++
		}
	}
	// Random numbers of vertices, since a growing network numbers them in a special order.
	place := r.Perm(int(n))
	for i, e := range edges {
		edges[i] = testgraphs.Edge{uint32(place[e[0]]), uint32(place[e[1]])}
	}
	return n, edges
}

// planOf returns the plan for the distances in a graph.
func planOf(t testing.TB, edges []testgraphs.Edge, lanes int) *preprocess.Plan {
	t.Helper()
	return testblocks.Reduced(t, edges, preprocess.Options{
		Question: question.Question{Measures: []string{measures.Harmonic}}, Lanes: lanes, Threads: 1,
	})
}

// textbook computes the numbers of one source.
func textbook(b *preprocess.Block, s uint32) (f engine.Found) {
	distance := make([]uint64, b.Vertices())
	queue := []uint32{s}
	for head := 0; head < len(queue); head++ {
		for _, v := range b.Neighbours(queue[head]) {
			if v == s || distance[v] > 0 {
				continue
			}
			d := distance[queue[head]] + 1
			distance[v], queue = d, append(queue, v)
			f.Reach++
			f.Farness += d
			low, carry := bits.Add64(f.Harmonic, (1<<engine.HarmonicBits+d/2)/d, 0)
			f.Harmonic, f.HarmonicHigh = low, f.HarmonicHigh+carry
			f.Eccentricity = max(f.Eccentricity, d)
		}
	}
	return f
}

// check compares all batches of a plan with the textbook, and returns how many of its
// blocks are roads.
func check(t *testing.T, s *Search, plan *preprocess.Plan) (roads int) {
	t.Helper()
	for i := range plan.Blocks {
		if plan.Blocks[i].Roads != nil {
			roads++
		}
	}
	for _, batch := range plan.Batches {
		b := &plan.Blocks[batch.Block]
		if b.Roads == nil {
			continue
		}
		got, err := s.Run(t.Context(), b, batch)
		if err != nil {
			t.Fatal(err)
		}
		if got.Got[0] != got.Want[0] {
			t.Fatalf("batch %+v reaches %v, want %v", batch, got.Got, got.Want)
		}
		among := make([]bool, b.Vertices())
		for _, v := range b.Sources[batch.First : batch.First+batch.Count] {
			among[v] = true
		}
		for v, found := range got.Found {
			want := engine.Found{}
			if among[v] {
				want = textbook(b, uint32(v))
			}
			if found != want {
				t.Fatalf("batch %+v of %d vertices: vertex %d: %+v, want %+v", batch, b.Vertices(), v, found, want)
			}
		}
	}
	return roads
}

func TestSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 16))
	s, roads := New(true), 0 // one for all: a block must not change the next result
	const graphs = 40 + 3000/testgraphs.OneIn
	for i := range graphs {
		n, edges := network(r, 260+r.IntN(400))
		if i%8 == 0 { // beside another component
			more, others := network(r, 300)
			for _, e := range others {
				edges = append(edges, testgraphs.Edge{e[0] + n, e[1] + n})
			}
			n += more
		}
		roads += check(t, s, planOf(t, edges, []int{0, 1, 3}[i%3]))
	}
	if roads < graphs/2 {
		t.Errorf("%d of %d graphs were laid out as roads", roads, graphs)
	}
}

// A cancelled search returns an error, and the next one is right.
func TestCutShort(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 17))
	_, edges := network(r, 600)
	plan := planOf(t, edges, 0)
	b := &plan.Blocks[0]
	if b.Roads == nil {
		t.Fatal("no roads")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := New(false)
	if _, err := s.Run(ctx, b, plan.Batches[0]); err == nil {
		t.Error("no error of a context that has ended")
	}
	check(t, s, plan)
}

// A Search takes at most a quarter more memory than Bytes returns, and at least a twentieth of it.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 19))
	for range 10 {
		_, edges := network(r, 3000)
		plan := planOf(t, edges, 0)
		b := &plan.Blocks[0]
		if b.Roads == nil {
			continue
		}
		s := New(false)
		for _, batch := range plan.Batches {
			if batch.Block == 0 {
				if _, err := s.Run(t.Context(), b, batch); err != nil {
					t.Fatal(err)
				}
			}
		}
		taken := 40*cap(s.found) + 4*(cap(s.from)+cap(s.apart)+cap(s.moves)+cap(s.ends[0])+cap(s.ends[1])+cap(s.below)) + 8*cap(s.inverse)
		for _, list := range s.lists {
			taken += 4 * cap(list)
		}
		for _, line := range s.lines {
			taken += 4 * cap(line)
		}
		if said := Bytes(b); int64(taken) > said+said/4 || int64(taken) < said/20 {
			t.Errorf("%d bytes, said were %d", taken, said)
		}
	}
}
