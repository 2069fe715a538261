package pipeline

import (
	"context"
	"errors"
	"slices"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// An outline has the names and types of the sinks' tables, is sent before anything is computed, and
// can end the run.
func TestOutline(t *testing.T) {
	square := func(ctx context.Context, edges chan<- tables.Batch) (tables.Summary, error) {
		defer close(edges)
		edges <- tables.Batch{Src: tables.Keys{Ints: []uint64{1, 2, 3, 4, 1}}, Dst: tables.Keys{Ints: []uint64{2, 3, 4, 1, 5}}}
		return tables.Summary{}, nil
	}
	for name, opts := range map[string]Options{
		"scores":   {},
		"measures": {Question: question.Question{Measures: []string{"degree", "closeness", "rank", "independent_set"}}},
		"estimate": {Question: question.Question{Sample: question.Sample{Way: "sources", Samples: 3}}},
		"partial":  {Output: Output{Partial: true}},
		"edges":    {Output: Output{Edges: func(context.Context, tables.Table) error { return nil }}},
	} {
		opts.Source = square
		var outlines, sunk []tables.Table
		opts.Outline = func(_ context.Context, table tables.Table) error {
			outlines = append(outlines, table)
			return nil
		}
		keep := func(_ context.Context, table tables.Table) error {
			sunk = append(sunk, table)
			return nil
		}
		if opts.Edges != nil {
			opts.Edges = keep
		}
		if _, err := Run(t.Context(), opts, keep); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(outlines, sunk, func(outline, table tables.Table) bool {
			sameColumn := func(a, b tables.Column) bool {
				return a.Name == b.Name && b.Values != nil && typeName(a.Values) == typeName(b.Values)
			}
			names, _ := outline.Names()
			want, _ := table.Names()
			return slices.EqualFunc(outline.Columns, table.Columns, sameColumn) && slices.Equal(names, want)
		}) {
			t.Errorf("%s: outlines %+v of %+v", name, outlines, sunk)
		}

		refused := errors.New("refused")
		opts.Outline = func(context.Context, tables.Table) error { return refused }
		opts.ProgressInterval = 1
		opts.Progress = func(p Progress) {
			if p.Stage == "compute" || p.Stage == "write" {
				t.Errorf("%s: stage %s", name, p.Stage)
			}
		}
		if _, err := Run(t.Context(), opts, keep); !errors.Is(err, refused) {
			t.Errorf("%s: %v, want the outline's error", name, err)
		}
	}
}

// typeName of values.
func typeName(values tables.Values) string {
	switch values.(type) {
	case tables.Floats:
		return "float64"
	case tables.Ints:
		return "int64"
	}
	return "bool"
}
