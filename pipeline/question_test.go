package pipeline

import (
	"errors"
	"math"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/preprocess/question"
)

// A question without an answer yet is refused before anything is read, by the name of its flag.
func TestQuestionsAreRefused(t *testing.T) {
	for flag, opts := range map[string]Options{
		"--constrained": {Question: question.Question{Gravity: question.Gravity{Constrained: question.ConstrainedOrigins}, Sample: question.Sample{Way: "pairs"}}},
		"--columns":     {Question: question.Question{Measures: []string{"centredness"}}},
	} {
		err := opts.Check()
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

// The partial result of another question does not match, and the error names the flag. The zero
// question adds no metadata to partial results and scores.
func TestPartialOfAnotherQuestion(t *testing.T) {
	e := deviceGraph()
	var parts [2]tables.Table
	for i := range parts {
		parts[i] = run1(t, e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Shard: Shard{Mine: []int{i}, Of: 2}}})
	}
	for _, table := range []tables.Table{parts[0], run1(t, e, Options{})} {
		for _, kv := range table.Metadata {
			if kv.Key == "question" {
				t.Errorf("metadata %v for the zero question", kv)
			}
		}
	}
	other := parts[1]
	other.Metadata = append(other.Metadata, tables.KeyValue{Key: "question", Value: "cutoff=3"})
	*entry(&other, "checksum") = "none"
	_, err := tryMerge([]tables.Table{parts[0], other}, Output{})
	if !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), "--cutoff 3 against no --cutoff") {
		t.Errorf("merged: %v", err)
	}
	_, err = tryRun(e, Options{Compute: Compute{Lanes: 2}, Parts: Parts{Resume: &other}})
	if !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), "--cutoff 3 against no --cutoff") {
		t.Errorf("resumed: %v", err)
	}
	*entry(&other, "question") = "nonsense"
	*entry(&other, "checksum") = "none"
	if _, err := tryMerge([]tables.Table{other}, Output{}); !errors.Is(err, ErrPartial) {
		t.Errorf("nonsense: %v", err)
	}
}

// Rates of shards count their own work: weighted by seconds they sum to the work of the whole
// graph, once.
func TestRateCountsTheShare(t *testing.T) {
	e := deviceGraph()
	work := 0.0
	const of = 5
	for i := range of {
		var table tables.Table
		stats, err := Run(t.Context(), Options{
			Input: Input{Source: sourceOf(e)}, Compute: Compute{Engine: EngineCPU, Lanes: 2}, Parts: Parts{Shard: Shard{Mine: []int{i}, Of: of}},
		}, into(&table))
		if err != nil {
			t.Fatal(err)
		}
		work += stats.GTEPS * stats.Seconds.Compute * 1e9 / float64(stats.Vertices) / float64(stats.Edges)
	}
	if math.Abs(work-1) > 1e-9 {
		t.Errorf("%d shards count the work of the graph %v times", of, work)
	}
}
