package pipeline_test

import (
	"context"
	"fmt"

	"bcstage/pipeline"
)

// Slices in, scores out.
func ExampleScores() {
	// A square 1-2-3-4 with a tail 4-5.
	src := []uint64{1, 2, 3, 4, 4}
	dst := []uint64{2, 3, 4, 1, 5}
	vertices, scores, stats, err := pipeline.Scores(context.Background(), src, dst, pipeline.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stats.Vertices, "vertices,", stats.Edges, "edges,", stats.Folded, "folded")
	for i := range vertices {
		fmt.Println(vertices[i], scores[i])
	}
	// Output:
	// 5 vertices, 5 edges, 1 folded
	// 1 1
	// 2 0.5
	// 3 1
	// 4 3.5
	// 5 0
}
