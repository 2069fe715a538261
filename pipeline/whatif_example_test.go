package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/pipeline"
)

// bridged is two triangles with a bridge between them.
func bridged() pipeline.Options {
	source := func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		edges <- tables.Batch{Src: tables.Keys{Ints: []uint64{1, 2, 3, 3, 4, 5, 6}}, Dst: tables.Keys{Ints: []uint64{2, 3, 1, 4, 5, 6, 4}}}
		return tables.Summary{IDs: tables.Int64IDs(), Rows: 7}, nil
	}
	return pipeline.Options{Input: pipeline.Input{Source: source}}
}

// show prints two columns of a table of removed vertices or edges.
func show(_ context.Context, t tables.Table) error {
	names, format := t.Names()
	for row := range t.Rows() {
		for i, name := range names {
			fmt.Printf("%s %s, ", name, format(nil, i, row))
		}
		fmt.Printf("reach %d (%+d), largest %v\n", t.Ints("reach")[row], t.Ints("reach_change")[row], t.Floats("largest_betweenness")[row])
	}
	return nil
}

func ExampleWhatIf() {
	if _, err := pipeline.WhatIf(context.Background(), bridged(), pipeline.RemovedVertices(1, 3), true, show); err != nil {
		fmt.Println(err)
	}
	// Output:
	// vertex 1, reach 20 (-10), largest 4
	// vertex 3, reach 8 (-22), largest 0
}

func ExampleRemovedEdges() {
	if _, err := pipeline.WhatIf(context.Background(), bridged(), pipeline.RemovedEdges([]int{4, 1}, []int{3, 2}), true, show); err != nil {
		fmt.Println(err)
	}
	// Output:
	// src 4, dst 3, reach 12 (-18), largest 0
	// src 1, dst 2, reach 30 (+0), largest 7
}

func ExampleRemovedVertices() {
	if _, err := pipeline.WhatIf(context.Background(), bridged(), pipeline.RemovedVertices(1, 6), false, show); err != nil {
		fmt.Println(err)
	}
	// Output:
	// edges_removed 4, vertices_removed 2, reach 12 (-18), largest 2
}

// written is a file of a list.
func written(name, text string) tables.Options {
	folder, err := os.MkdirTemp("", "bcstage")
	if err != nil {
		panic(err)
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		panic(err)
	}
	return tables.Options{Paths: []string{path}}
}

func ExampleReadRemovedEdges() {
	closed := written("closed.csv", "src,dst\n3,4\n")
	defer os.RemoveAll(filepath.Dir(closed.Paths[0]))
	removed, err := pipeline.ReadRemovedEdges(context.Background(), arrowio.Read, closed)
	if err == nil {
		_, err = pipeline.WhatIf(context.Background(), bridged(), removed, true, show)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// src 3, dst 4, reach 12 (-18), largest 0
}

func ExampleReadRemovedVertices() {
	down := written("down.csv", "id\n4\n")
	defer os.RemoveAll(filepath.Dir(down.Paths[0]))
	removed, err := pipeline.ReadRemovedVertices(context.Background(), arrowio.ReadIDs, down)
	if err == nil {
		_, err = pipeline.WhatIf(context.Background(), bridged(), removed, true, show)
	}
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// vertex 4, reach 8 (-22), largest 0
}
