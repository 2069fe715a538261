package pipeline_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/pipeline"
	"bcstage/preprocess/question"
)

// Degrees are by row of the ids, whatever their order, without repeated edges
// and self-loops; ids of another graph are refused.
func TestDegrees(t *testing.T) {
	source := func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		return arrowio.Read(ctx, tables.Options{Stdin: strings.NewReader("1,2\n2,3\n3,4\n4,1\n4,5\n5,4\n9,9\n")}, edges)
	}
	got, err := pipeline.Degrees(t.Context(), &tables.Table{IDs: tables.Keys{Ints: []uint64{9, 5, 4, 3, 2, 1}}}, pipeline.Options{Input: pipeline.Input{Source: source}})
	if want := []int64{0, 1, 3, 2, 2, 2}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	for _, ids := range [][]uint64{{1, 2, 3, 4, 5}, {1, 2, 3, 4, 5, 9, 9}, {}, {1, 2, 3, 4, 5, 9, 10}} {
		_, err := pipeline.Degrees(t.Context(), &tables.Table{IDs: tables.Keys{Ints: ids}}, pipeline.Options{Input: pipeline.Input{Source: source}})
		if accepted := slices.Equal(ids, []uint64{1, 2, 3, 4, 5, 9, 10}); accepted != (err == nil) || err != nil && !errors.Is(err, tables.ErrInput) {
			t.Errorf("%v: %v", ids, err)
		}
	}
	text := tables.Keys{Bytes: []byte("a"), Offsets: []int64{0, 1}}
	if _, err := pipeline.Degrees(t.Context(), &tables.Table{IDs: text}, pipeline.Options{Input: pipeline.Input{Source: source}}); !errors.Is(err, tables.ErrInput) {
		t.Errorf("strings for integers: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pipeline.Degrees(ended, &tables.Table{}, pipeline.Options{Input: pipeline.Input{Source: source}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Sizes of components stand beside the scores if they are asked for.
func TestComponentSizes(t *testing.T) {
	var table tables.Table
	sink := func(_ context.Context, t tables.Table) error { table = t; return nil }
	opts := pipeline.Options{
		Input:    pipeline.Input{Read: arrowio.Read, Files: tables.Options{Stdin: strings.NewReader("1,2\n2,3\n10,11\n11,12\n12,13\n13,10\n20,20\n13,14\n")}},
		Question: question.Question{Measures: []string{measures.Betweenness, measures.ComponentSize}},
	}
	if _, err := pipeline.Run(t.Context(), opts, sink); err != nil {
		t.Fatal(err)
	}
	if want := []int64{3, 3, 3, 5, 5, 5, 5, 1, 5}; len(table.Columns) != 2 || !slices.Equal(table.Ints(measures.ComponentSize), want) {
		t.Errorf("%v, want %v", table.Columns, want)
	}
}
