package pipeline

import (
	"context"
	"errors"
	"testing"

	"bcstage/gpu"
	"bcstage/gpu/opencl"
	"bcstage/internal/gpu/searchbench"
	"bcstage/internal/gpu/searches"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

func TestBenchSearchesRefuses(t *testing.T) {
	bfs := []searches.Problem{searches.BFS}
	for what, c := range map[string]struct {
		opts  Options
		bench searchbench.Bench
		err   error
	}{
		"no sources":       {Options{}, searchbench.Bench{Problems: bfs}, ErrOptions},
		"unknown strategy": {Options{}, searchbench.Bench{Problems: []searches.Problem{searches.SSSP}, Strategies: []searches.Strategy{"level"}, Sources: 1}, ErrOptions},
		"unknown problem":  {Options{}, searchbench.Bench{Problems: []searches.Problem{"apsp"}, Sources: 1}, ErrOptions},
		"another's":        {Options{}, searchbench.Bench{Problems: bfs, Strategies: []searches.Strategy{searches.Near}, Sources: 1}, ErrOptions},
		"a cutoff":         {Options{Question: question.Question{Cutoff: "3"}}, searchbench.Bench{Problems: bfs, Sources: 1}, ErrOptions},
		"no such device":   {Options{Compute: Compute{Device: "99", Devices: opencl.Devices()}}, searchbench.Bench{Problems: bfs, Sources: 1}, gpu.ErrNoDevice},
	} {
		c.opts.Source = edgesSource([]testgraphs.Edge{{0, 1}}, nil)
		err := BenchSearches(context.Background(), c.opts, c.bench, func(searchbench.Figures) error { return nil })
		if !errors.Is(err, c.err) && !(c.err == gpu.ErrNoDevice && errors.Is(err, gpu.ErrNotBuilt)) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
