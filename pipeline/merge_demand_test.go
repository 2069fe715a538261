package pipeline

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"bcstage/arrowio/tables"
	"bcstage/internal/testgraphs"
	"bcstage/preprocess/question"
)

// tryMergeStats is tryMerge, and returns the statistics, too.
func tryMergeStats(parts []tables.Table, opts Output) (merged tables.Table, stats *Stats, err error) {
	next := func() (table tables.Table, more bool, _ error) {
		if more = len(parts) > 0; more {
			table, parts = parts[0], parts[1:]
		}
		return table, more, nil
	}
	stats, err = Merge(context.Background(), next, opts, into(&merged))
	return merged, stats, err
}

// A merge of shards has the demand of a single run, and so has a merge of a larger partial.
func TestMergedDemand(t *testing.T) {
	e := listed("two parts", append(testgraphs.Grid(6, 5), testgraphs.Edge{100, 101}))
	trips := [][3]string{{"0", "12", "1.5"}, {"3", "3", "2"}, {"12", "101", "4"}, {"100", "999", "7"}, {"101", "100", "1"}}
	masses := []string{"0,1.5,2", "7,0,1", "12,4,.25", "100,3,3"}
	run := func(change func(o *Options), shard Shard, rows ...string) (table tables.Table, stats *Stats) {
		t.Helper()
		opts := e.tabled(t, "id,a,b", rows...)
		opts.Question.Origins.Column, opts.Question.Destinations.Column, opts.Shard = "a", "b", shard
		change(&opts)
		stats, err := Run(t.Context(), opts, into(&table))
		if err != nil {
			t.Fatal(err)
		}
		return table, stats
	}
	listing := func(rows [][3]string) func(o *Options) {
		return func(o *Options) {
			o.Files.Vertices, o.Question.Origins, o.Question.Destinations = "", question.Masses{}, question.Masses{}
			o.Trips = tripsFile(t, rows)
		}
	}
	third := func(i int) Shard { return Shard{Mine: []int{i}, Of: 3} }
	for name, change := range map[string]func(o *Options){
		"masses":      func(*Options) {},
		"one side":    func(o *Options) { o.Question.Origins.Column = "" },
		"decay":       func(o *Options) { o.Question.Decay.Share = "exp:0.5" },
		"constrained": func(o *Options) { o.Question.Gravity.Constrained = question.ConstrainedOrigins },
		"trips":       listing(trips),
	} {
		_, single := run(change, Shard{}, masses...)
		var parts []tables.Table
		for i := range 3 {
			part, _ := run(change, third(i), masses...)
			parts = append(parts, part)
		}
		larger, _, err := tryMergeStats(parts[:2], Output{Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		_, merged, err := tryMergeStats([]tables.Table{larger, parts[2]}, Output{})
		if err != nil {
			t.Fatal(err)
		}
		if single.Demand == nil || !reflect.DeepEqual(merged.Demand, single.Demand) {
			t.Errorf("%s: a merge has demand %+v, a single run %+v", name, merged.Demand, single.Demand)
		}
	}

	zero, _ := run(listing(trips), third(0), masses...)
	one, _ := run(listing(append(trips, [3]string{"0", "12", "0"})), third(1), masses...)
	if _, _, err := tryMergeStats([]tables.Table{zero, one}, Output{Partial: true}); !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), "other tables of masses or trips") {
		t.Errorf("error %v of shards with other trips", err)
	}
	*entry(&zero, "checksum"), *entry(&zero, "demand") = "none", "{"
	if _, _, err := tryMergeStats([]tables.Table{zero}, Output{Partial: true}); !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), `"demand"`) {
		t.Errorf("error %v of demand that is not JSON", err)
	}
}
