package pipeline

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"bcstage/arrowio"
	"bcstage/arrowio/tables"
	"bcstage/internal/measures"
	"bcstage/preprocess/question"
)

// Random questions and options give the same table, to the bit and with the same metadata, if their
// parts go through files and are merged.
func TestNothingIsLostOnTheWay(t *testing.T) {
	random := rand.New(rand.NewPCG(19, 7))
	tried := map[string]int{}
	for range 60 {
		drawn := graphs(random, 1)
		e := drawn[random.IntN(len(drawn))]
		e.directed = random.IntN(2) == 0
		var opts Options
		opts.Lanes = 1 + random.IntN(8)
		opts.Threads = 1 + random.IntN(3)
		opts.Question.Directed = e.directed
		if random.IntN(3) == 0 {
			opts.Precision = Float32
		}
		if random.IntN(3) == 0 {
			opts.Sort = ByScore
		}
		if random.IntN(3) == 0 {
			opts.Question.Cutoff = strconv.Itoa(random.IntN(5))
		}
		if random.IntN(3) == 0 {
			opts.Question.Endpoints = true
		}
		if random.IntN(3) == 0 && len(e.src) > 0 {
			opts.Sources = VertexSetOf(e.src[random.IntN(len(e.src))], e.dst[random.IntN(len(e.dst))])
		}
		if random.IntN(3) == 0 && !e.directed {
			opts.Question.Measures = []string{measures.Betweenness, measures.Reach}
		}
		if random.IntN(3) == 0 && opts.Question.Measures == nil {
			opts.Question.Sample = question.Sample{Way: []string{"sources", "sources-raw", "pairs"}[random.IntN(3)], Seed: 5, Samples: 1 + random.IntN(40)}
		}
		opts.Question.Edges = random.IntN(3) == 0
		var wholeEdges, mergedEdges tables.Table
		if opts.Question.Edges {
			opts.Edges = into(&wholeEdges)
		}
		if opts.Check() != nil {
			tried["refused"]++
			continue
		}
		whole := run1(t, e, opts)
		shards := 1 + random.IntN(4)
		var parts []tables.Table
		for i := range shards {
			opts.Shard = Shard{Mine: []int{i}, Of: shards}
			part := run1(t, e, opts)
			format := []tables.Format{tables.FormatArrow, arrowio.FormatArrowFile, tables.FormatParquet}[random.IntN(3)]
			var file bytes.Buffer
			if err := arrowio.Write(t.Context(), &file, format, part); err != nil {
				t.Fatal(err)
			}
			back, err := arrowio.ReadTable(context.Background(), tables.Options{Stdin: &file})
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, back)
		}
		random.Shuffle(shards, func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		if opts.Question.Edges {
			opts.Edges = into(&mergedEdges)
		}
		merged, err := tryMerge(parts, opts.Output)
		if err != nil {
			t.Fatalf("%s: %s: %v", e.name, opts.Question, err)
		}
		if !reflect.DeepEqual(merged.Columns, whole.Columns) || !slices.Equal(merged.IDs.Ints, whole.IDs.Ints) ||
			!slices.Equal(merged.Order, whole.Order) || !slices.Equal(merged.Metadata, whole.Metadata) {
			t.Errorf("%s: %s, %d shards: %+v, want %+v", e.name, opts.Question, shards, merged, whole)
		}
		if !reflect.DeepEqual(mergedEdges.Columns, wholeEdges.Columns) || !reflect.DeepEqual(mergedEdges.Pairs, wholeEdges.Pairs) || !slices.Equal(mergedEdges.Metadata, wholeEdges.Metadata) {
			t.Errorf("%s: %s, %d shards: edges %+v, want %+v", e.name, opts.Question, shards, mergedEdges.Columns, wholeEdges.Columns)
		}
		tried["answered"]++
	}
	if tried["answered"] < 30 {
		t.Errorf("too few questions were answered: %v", tried)
	}
}
