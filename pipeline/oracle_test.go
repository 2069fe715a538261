package pipeline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"bcstage/internal/testgraphs"
	"bcstage/internal/testleaks"
)

func TestMain(m *testing.M) { os.Exit(testleaks.Run(m)) }

// edgeList is a test graph in the form of a user's input.
type edgeList struct {
	name     string
	src, dst []int64
	directed bool // of the question
}

// bothQuestions returns the graphs, and copies with directed edges. Those of every third copy run both ways.
func bothQuestions(list []*edgeList) []*edgeList {
	for i, e := range list[:len(list):len(list)] {
		directed := &edgeList{e.name + " directed", e.src, e.dst, true}
		if i%3 == 0 {
			directed.src, directed.dst = slices.Concat(e.src, e.dst), slices.Concat(e.dst, e.src)
		}
		list = append(list, directed)
	}
	return list
}

func (e *edgeList) join(u, v int) {
	e.src = append(e.src, int64(u))
	e.dst = append(e.dst, int64(v))
}

// listed returns a drawn graph with a name.
func listed(name string, edges []testgraphs.Edge) *edgeList {
	e := &edgeList{name: name}
	for _, edge := range edges {
		e.join(int(edge[0]), int(edge[1]))
	}
	return e
}

// oracle is the textbook on the graph as given: no reductions, no lanes, no code under test. It
// returns scores by id.
func (e *edgeList) oracle() map[int64]float64 {
	neighbours, before := map[int64]map[int64]bool{}, map[int64]map[int64]bool{}
	for i := range e.src {
		for _, v := range []int64{e.src[i], e.dst[i]} {
			if neighbours[v] == nil {
				neighbours[v], before[v] = map[int64]bool{}, map[int64]bool{}
			}
		}
		if e.src[i] != e.dst[i] {
			neighbours[e.src[i]][e.dst[i]], before[e.dst[i]][e.src[i]] = true, true
		}
		if e.src[i] != e.dst[i] && !e.directed {
			neighbours[e.dst[i]][e.src[i]], before[e.src[i]][e.dst[i]] = true, true
		}
	}
	pairs := 2.0 // in which a path between two vertices is found
	if e.directed {
		pairs = 1
	}
	scores := map[int64]float64{}
	for s := range neighbours {
		scores[s] += 0
		distance := map[int64]int{s: 0}
		sigma := map[int64]float64{s: 1}
		order := []int64{s}
		for head := 0; head < len(order); head++ {
			u := order[head]
			for v := range neighbours[u] {
				if _, seen := distance[v]; !seen {
					distance[v] = distance[u] + 1
					order = append(order, v)
				}
				if distance[v] == distance[u]+1 {
					sigma[v] += sigma[u]
				}
			}
		}
		delta := map[int64]float64{}
		for i := len(order) - 1; i > 0; i-- {
			t := order[i]
			for v := range before[t] {
				if d, reached := distance[v]; reached && d == distance[t]-1 {
					delta[v] += sigma[v] / sigma[t] * (1 + delta[t])
				}
			}
			scores[t] += delta[t] / pairs
		}
	}
	return scores
}

// graphs returns small graphs of every shape that a reduction or an engine treats specially.
func graphs(random *rand.Rand, count int) []*edgeList {
	var list []*edgeList
	add := func(name string, build func(*edgeList)) {
		e := &edgeList{name: name}
		build(e)
		list = append(list, e)
	}
	add("one edge", func(e *edgeList) { e.join(0, 1) })
	add("self-loop alone", func(e *edgeList) { e.join(5, 5) })
	for _, n := range []int{3, 4, 5, 12} {
		add(fmt.Sprint("path ", n), func(e *edgeList) {
			for v := 1; v < n; v++ {
				e.join(v-1, v)
			}
		})
		add(fmt.Sprint("cycle ", n), func(e *edgeList) {
			for v := range n {
				e.join(v, (v+1)%n)
			}
		})
		add(fmt.Sprint("clique ", n), func(e *edgeList) {
			for v := range n {
				for u := range v {
					e.join(u, v)
				}
			}
		})
		add(fmt.Sprint("star ", n), func(e *edgeList) {
			for v := 1; v < n; v++ {
				e.join(0, v)
			}
		})
		add(fmt.Sprint("grid ", n), func(e *edgeList) {
			for y := range n {
				for x := range n {
					if x > 0 {
						e.join(y*n+x-1, y*n+x)
					}
					if y > 0 {
						e.join(y*n+x-n, y*n+x)
					}
				}
			}
		})
	}
	add("streets", func(e *edgeList) { // a grid of roads that bend, and dead ends
		next := 100
		road := func(u, v int) {
			for range random.IntN(9) {
				e.join(u, next)
				u = next
				next++
			}
			e.join(u, v)
		}
		for y := range 6 {
			for x := range 6 {
				if x > 0 {
					road(y*6+x-1, y*6+x)
				}
				if y > 0 {
					road(y*6+x-6, y*6+x)
				}
				if random.IntN(3) == 0 {
					next++
					road(y*6+x, next-1)
				}
			}
		}
	})
	for i := range count {
		n := 2 + random.IntN(40)
		m := random.IntN(3 * n)
		add(fmt.Sprint("random ", i), func(e *edgeList) { // loops, repeats, several components
			for range m + 1 {
				e.join(random.IntN(n)-n/2, random.IntN(n)-n/2)
			}
		})
		add(fmt.Sprint("tree with chords ", i), func(e *edgeList) {
			for v := 1; v < n; v++ {
				e.join(v, random.IntN(v))
			}
			for range n / 4 {
				e.join(random.IntN(n), random.IntN(n))
			}
		})
	}
	return list
}

// compare fails the test unless the scores are the oracle's.
func compare(t *testing.T, e *edgeList, vertices []int64, scores []float64, tolerance float64) {
	t.Helper()
	want := e.oracle()
	if len(vertices) != len(want) {
		t.Fatalf("%s: %d vertices, want %d", e.name, len(vertices), len(want))
	}
	for i, v := range vertices {
		if math.IsNaN(scores[i]) || math.Abs(scores[i]-want[v]) > tolerance*max(want[v], 1) {
			t.Errorf("%s: vertex %d: %v, want %v (%v-%v)", e.name, v, scores[i], want[v], e.src, e.dst)
		}
	}
}

func mustScores(t *testing.T, e *edgeList, opts Options) ([]int64, []float64, *Stats) {
	t.Helper()
	opts.Question.Directed = e.directed
	vertices, scores, stats, err := Scores(context.Background(), e.src, e.dst, opts)
	if err != nil {
		t.Fatalf("%s: %v", e.name, err)
	}
	return vertices, scores, stats
}
