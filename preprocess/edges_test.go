package preprocess

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	"bcstage/internal/building"
	"bcstage/internal/csr"
	"bcstage/internal/engine"
	"bcstage/internal/measures"
	"bcstage/internal/testending"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// enumeratedEdges is the definition of edge betweenness, by arc: for every pair of a
// source and a target, the share of the shortest paths between them that pass each
// arc. It lists the paths one by one, up to cutoff.
func enumeratedEdges(g *csr.Graph, sources, targets []uint32, cutoff int) map[edge]float64 {
	sums := map[edge]float64{}
	for _, s := range sources {
		_, distance, _ := search(g, s, nil)
		for _, t := range targets {
			if s == t || distance[t] > min(anyLength, cutoff) {
				continue
			}
			over, all := map[edge]int{}, 0
			var path []uint32
			var back func(v uint32)
			back = func(v uint32) {
				path = append(path, v)
				defer func() { path = path[:len(path)-1] }()
				if v == s {
					all++
					for i, u := range path[1:] {
						over[edge{u, path[i]}]++
					}
					return
				}
				for _, u := range g.Reverse().Neighbours(v) {
					if distance[u]+int(g.Length(u, v)) == distance[v] {
						back(u)
					}
				}
			}
			back(t)
			for arc, paths := range over {
				sums[arc] += float64(paths) / float64(all)
			}
		}
	}
	return sums
}

// flowsOf computes the flows over the edges of a block by the formulas of Flows, and
// fails the test if the self-check does not hold; nil: the block has none.
func flowsOf(t *testing.T, b *Block) []float64 {
	if b.Flows == nil {
		return nil
	}
	flows, got, want := make([]float64, b.Flows.Count()), 0.0, 0.0
	for _, s := range b.Sources {
		order, distance, S := search(&b.Graph, s, b.Multiplicity)
		D := make([]float64, b.Vertices())
		for _, v := range slices.Backward(order) {
			if b.Cutoff > 0 && distance[v] > b.Cutoff {
				continue
			}
			for e := b.Offsets[v]; e < b.Offsets[v+1]; e++ {
				u := b.Targets[e]
				length := int(b.Length(v, u))
				if distance[u] != distance[v]+length || b.Cutoff > 0 && distance[u] > b.Cutoff {
					continue
				}
				x := S[v] * (b.To[u] + D[u]) / S[u]
				if b.Multiplicity != nil {
					x *= b.Multiplicity[u]
				}
				D[v] += x
				flows[b.Flows.Of[e]] += b.From[s] * x
				got += b.From[s] * x * float64(length)
			}
			if v != s {
				want += b.From[s] * b.To[v] * float64(distance[v])
			}
		}
	}
	if !near(got, want) {
		t.Fatalf("paths are %g long, and edges %g", want, got)
	}
	return flows
}

// edgeScoresOf reduces g, traverses the rest and restores. Scores of vertices are
// computed beside those of edges.
func edgeScoresOf(t *testing.T, g *csr.Graph, opts Options) (scores []float64, p *Plan) {
	t.Helper()
	opts.Question.Edges = true
	p, err := Reduce(context.Background(), g, opts)
	if err != nil {
		t.Fatal(err)
	}
	checkPlan(t, g, p)
	sums := make([]float64, g.Edges())
	for i := range p.Blocks {
		b := &p.Blocks[i]
		result := engine.Result{Scores: traverse(t, b), Flows: flowsOf(t, b)}
		edges, scores, _ := b.EdgeScores(&result)
		for i, edge := range edges {
			sums[edge] += scores[i]
		}
		b.EachShare([]engine.Batch{{Count: len(b.Sources)}}, &result, func(edges []uint32, value float64) {
			for _, edge := range edges {
				sums[edge] += value
			}
		})
	}
	p.ClosedForm(measures.EdgeBetweenness).Restore(p.Question.Ordered(), sums)
	return sums, p
}

// Whatever the question and the reductions, scores of edges are those of the
// definition, and scores of vertices do not depend on asking for edges.
func TestEdgesRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 1))
	for i := range 8000 / testgraphs.OneIn {
		g := anyGraph(r, i)
		if g.Vertices() > 40 {
			continue
		}
		sources, targets, asked := anyEnds(r, g, 3)
		cutoff := anyLength
		if i/2%2 == 0 {
			g = withLengths(r, g, []int64{1, 2, 3, 10, 1 << 30}[r.IntN(5)])
			asked.Question.Lengths = byWeight().Lengths
		}
		if r.IntN(3) == 0 {
			cutoff = r.IntN(8)
			if len(g.Lengths) > 0 {
				cutoff = r.IntN(int(4*g.Lengths[r.IntN(len(g.Lengths))]) + 2)
			}
			asked.Question.Cutoff = strconv.Itoa(cutoff)
		}
		asked.Question.Directed = g.In != nil
		asked.Threads, asked.Lanes, asked.Off = 1+r.IntN(3), r.IntN(engine.MaxLanes+1), anyOff(r)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			want := enumeratedEdges(g, sources, targets, cutoff)
			got, p := edgeScoresOf(t, g, asked)
			for i, x := range got {
				u, v := p.EdgeEnds[0][i], p.EdgeEnds[1][i]
				arcs := want[edge{u, v}]
				if g.In == nil {
					arcs = (arcs + want[edge{v, u}]) / 2
				}
				if !near(x, arcs) {
					t.Fatalf("edge %d-%d: %g, want %g", u, v, x, arcs)
				}
			}
			plain := asked
			asked.Question.Edges = true
			compare(t, scoresOf(t, g, asked), scoresOf(t, g, plain))
		})
	}
}

// Edges are numbered in order of appearance, their ends in the order of the first row.
// Loops and repeats have no number; the other direction has one only in a directed
// graph.
func TestEdgeList(t *testing.T) {
	src, dst := []uint64{5, 3, 3, 5, 1, 3, 5}, []uint64{3, 3, 5, 3, 5, 1, 1}
	for _, directed := range []bool{false, true} {
		want := [2][]uint64{{5, 1, 3}, {3, 5, 1}}
		if directed {
			want = [2][]uint64{{5, 3, 1, 3, 5}, {3, 5, 5, 1, 1}}
		}
		b := building.NewBuilder(2)
		b.KeepEdges, b.Directed = true, directed
		for i := range src {
			if err := b.AddEdges(building.Keys{Ints: src[i : i+1]}, building.Keys{Ints: dst[i : i+1]}); err != nil {
				t.Fatal(err)
			}
		}
		in, err := b.Build(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for end, list := range in.Edges.Ends {
			for i, v := range list {
				if i >= len(want[end]) || in.IDs.Ints[v] != want[end][i] || len(list) != len(want[end]) {
					t.Fatalf("directed %t: end %d of edge %d is %d, want %v", directed, end, i, in.IDs.Ints[v], want)
				}
			}
		}
		for i := range in.Edges.Ends[0] {
			if u, v := in.Edges.Ends[0][i], in.Edges.Ends[1][i]; in.Edges.Number(u, v) != uint32(i) || !directed && in.Edges.Number(v, u) != uint32(i) {
				t.Errorf("directed %t: edge %d has number %d", directed, i, in.Edges.Number(u, v))
			}
		}
	}
}

// Graphs with a closed form leave nothing to search, also where edges are asked for.
func TestEdgesOfClosedForms(t *testing.T) {
	for name, edges := range map[string][]edge{
		"tree": testgraphs.Star(0, 9), "path": testgraphs.Path(0, 30), "clique": testgraphs.Clique(0, 8), "cycle": testgraphs.Ring(0, 9), "even cycle": testgraphs.Ring(0, 10),
	} {
		g := graphOf(40, edges)
		if _, p := edgeScoresOf(t, g, Options{}); len(p.Blocks) > 0 {
			t.Errorf("%s: %d blocks left", name, len(p.Blocks))
		}
	}
}

// The plan does not depend on threads, and Reduce notices a context that ends.
func TestEdgesOfAnyThreads(t *testing.T) {
	g := graphOf(900, slices.Concat(testgraphs.Grid(25, 20), testgraphs.Path(499, 800)))
	_, first := edgeScoresOf(t, g, Options{Threads: 1})
	_, second := edgeScoresOf(t, g, Options{Threads: 3})
	if first.Fingerprint != second.Fingerprint {
		t.Error("the plan of three threads differs from that of one")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := building.NewEdgeList(ctx, g, 2); err == nil {
		t.Error("listed edges although the context had ended")
	}
}

// looks counts how often a context is checked.
type looks struct {
	context.Context
	count atomic.Int64
}

func (c *looks) Err() error {
	c.count.Add(1)
	return nil
}

// Closed forms of the edges of a clique take quadratic time in its vertices: the
// context is checked once per vertex.
func TestEdgesOfCliquesLookAtTheContext(t *testing.T) {
	const size = 60
	g := graphOf(size, testgraphs.Clique(0, size))
	count := func(edges bool) int64 {
		c := &looks{Context: t.Context()}
		if _, err := Reduce(c, g, Options{Question: question.Question{Edges: edges}, Threads: 1}); err != nil {
			t.Fatal(err)
		}
		return c.count.Load()
	}
	if with, without := count(true), count(false); with < without+size/2 {
		t.Errorf("%d looks with edges, %d without", with, without)
	}
}

// A reduction with edges ends with the context's error, whenever that occurs.
func TestEdgesCancelled(t *testing.T) {
	g := graphOf(900, slices.Concat(testgraphs.Grid(12, 9), testgraphs.Path(100, 300), testgraphs.Clique(20, 12), testgraphs.Ring(300, 40)))
	opts := Options{Question: question.Question{Edges: true}, Threads: 1}
	cancelled := 0
	for left := 0; ; left++ {
		ctx := testending.After(t.Context(), left)
		if _, err := Reduce(ctx, g, opts); err == nil {
			break
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		cancelled++
	}
	if cancelled < 10 {
		t.Errorf("%d moments at which the context is looked at", cancelled)
	}
}
