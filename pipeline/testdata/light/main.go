// Command light is the smallest program that computes scores: TestScoresNeedNoArrow measures its
// size.
package main

import (
	"context"
	"fmt"
	"os"

	"bcstage/pipeline"
)

func main() {
	vertices, scores, _, err := pipeline.Scores(context.Background(), []int64{1, 2}, []int64{2, 3}, pipeline.Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(vertices, scores)
}
