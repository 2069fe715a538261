// Command gonum computes betweenness of a gonum graph, and shows gonum's own time.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/graphs/gen"
	"gonum.org/v1/gonum/graph/network"
	"gonum.org/v1/gonum/graph/simple"

	"bcstage/pipeline"
	"bcstage/preprocess/question"
)

// Betweenness is network.Betweenness on all cores: scores above 0 by node. Like gonum it sums over ordered
// pairs, which counts each pair of an undirected graph twice.
func Betweenness(ctx context.Context, g graph.Graph) (map[int64]float64, error) {
	_, directed := g.(graph.Directed)
	var src, dst []int64
	for nodes := g.Nodes(); nodes.Next(); {
		from := nodes.Node().ID()
		for to := g.From(from); to.Next(); {
			src, dst = append(src, from), append(dst, to.Node().ID())
		}
	}
	vertices, scores, _, err := pipeline.Scores(ctx, src, dst, pipeline.Options{Question: question.Question{Directed: directed}})
	if err != nil {
		return nil, err
	}
	named := make(map[int64]float64)
	for i, v := range vertices {
		if !directed {
			scores[i] *= 2
		}
		if scores[i] > 0 {
			named[v] = scores[i]
		}
	}
	return named, nil
}

func main() {
	g := simple.NewUndirectedGraph()
	if err := gen.TunableClusteringScaleFree(g, 500, 4, .2, rand.NewPCG(1, 2)); err != nil {
		fmt.Fprintln(os.Stderr, "gonum:", err)
		os.Exit(1)
	}
	began := time.Now()
	ours, err := Betweenness(context.Background(), g)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gonum:", err)
		os.Exit(1)
	}
	fmt.Printf("bcstage: %v, %d nodes above 0\n", time.Since(began).Round(time.Millisecond), len(ours))
	began = time.Now()
	fmt.Printf("gonum:   %d nodes above 0, %v\n", len(network.Betweenness(g)), time.Since(began).Round(time.Millisecond))
}
