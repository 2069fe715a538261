package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"bcstage/arrowio/tables"
	"bcstage/cli/internal/figures"
	"bcstage/internal/budget"
)

// Fact is a line, or a figure, about the run.
type Fact struct {
	Name, Value string
	Code        bool // in the style of code
}

// measure is the name of a column for people.
func measure(column string) string { return strings.ReplaceAll(column, "_", " ") }

// Convention says what betweenness is a sum or share of; "": the table of a run with other measures
// only, whose names suffice.
func (d Data) Convention() string {
	of := "Scores: "
	if name := d.Score().Name; name != tables.ScoreColumn && name != tables.EdgeScoreColumn && d.Metadata.Value("fingerprint") != "" {
		if of = "Betweenness: "; d.Metadata.Value("normalisation") == "" {
			return ""
		}
	}
	return of + cmp.Or(strings.TrimPrefix(d.Metadata.Value("normalisation"), "none: "), "convention not recorded") + "."
}

// Figures are the most important numbers.
func (d Data) Figures() []Fact {
	values := d.Score().Values
	var list []Fact
	for _, of := range []struct {
		name, key string
		own       bool // the file has a score for each
		told      func(*Stats) int64
	}{
		{"vertices", "n", !d.OfEdges, func(s *Stats) int64 { return int64(s.Vertices) }},
		{"edges", "m", d.OfEdges, func(s *Stats) int64 { return s.Edges }},
	} {
		count, err := strconv.ParseInt(d.Metadata.Value(of.key), 10, 64)
		switch {
		case of.own:
			count = int64(len(values))
		case err == nil:
		case d.Stats != nil:
			count = of.told(d.Stats)
		default: // a file from other programs may not say
			continue
		}
		list = append(list, Fact{Name: of.name, Value: figures.Grouped(count)})
	}
	if d.Graphs != nil {
		list = append(list, Fact{Name: "graphs", Value: figures.Grouped(int64(d.Graphs.Count))})
	}
	if len(values) > 0 {
		none := 0
		for _, x := range values {
			if x == 0 {
				none++
			}
		}
		list = append(list, Fact{Name: d.all() + " of score 0", Value: fmt.Sprintf("%.3g %%", 100*float64(none)/float64(len(values)))})
	}
	if d.Stats != nil {
		list = append(list, Fact{Name: "took", Value: figures.Seconds(d.Stats.Seconds.Total)})
		if check := d.Stats.SelfCheck; check.Sources > 0 { // pairs have no check
			list = append(list,
				Fact{Name: "sources checked", Value: figures.Grouped(int64(check.Sources))},
				Fact{Name: "largest deviation", Value: fmt.Sprintf("%.2g", check.LargestRelative)})
		}
	}
	return list
}

// Facts say what was computed, how, where and when, as far as it is known. Facts from the scores
// alone do not depend on the time of the run.
func (d Data) Facts() []Fact {
	var list []Fact
	add := func(name, value string, code bool) {
		if value != "" {
			list = append(list, Fact{name, value, code})
		}
	}
	add("Question", d.Asked(), false)
	if way := d.Metadata.Value("estimate"); way != "" {
		if draws := d.Metadata.Value("draws"); draws != "" {
			way += ", " + draws + " drawn"
		}
		if searches := d.Metadata.Value("searches"); searches != "" {
			way += ", " + searches + " searched"
		}
		add("Estimated by", way, false)
	}
	run := &Run{}
	if d.Stats != nil && d.Stats.Run != nil {
		run = d.Stats.Run
	}
	add("Input", strings.Join(run.Inputs, ", "), false)
	if src := d.Metadata.Value("src"); src != "" {
		add("Edges", src+" – "+d.Metadata.Value("dst"), false)
	}
	add("Command", run.Command, true)
	if began, err := time.Parse(time.RFC3339, run.Began); err == nil {
		add("Date", began.UTC().Format("2 January 2006, 15:04 UTC"), false)
	}
	if run.Began != "" {
		add("Machine", run.Machine.String(), false)
	}
	how := d.Metadata.Value("precision")
	if engines := d.Metadata.Value("engine"); engines != "" {
		how += " on " + strings.ReplaceAll(engines, ",", ", ")
	}
	if version := d.Metadata.Value("version"); version != "" && how != "" {
		how += ", bcstage " + version
	}
	add("Computed", how, false)
	return list
}

// CostLine sums up the cost.
func (d Data) CostLine() string {
	s := d.Stats
	line := []string{figures.Seconds(s.Seconds.Total)}
	if s.PeakMemory > 0 {
		line = append(line, budget.Text(s.PeakMemory))
	}
	if s.GTEPS > 0 {
		line = append(line, fmt.Sprintf("%.3g GTEPS", s.GTEPS))
	}
	return strings.Join(line, ", ")
}

// CostFacts are the other facts of the run.
func (d Data) CostFacts() []Fact {
	s := d.Stats
	computing := figures.Seconds(s.Seconds.Compute)
	if s.GTEPS > 0 {
		computing += fmt.Sprintf(", %.3g GTEPS: vertices times edges of the input over seconds, in 1e9", s.GTEPS)
	}
	list := []Fact{
		{Name: "Computing", Value: computing},
		{Name: "Peak memory", Value: budget.Text(s.PeakMemory)},
	}
	if s.Run != nil {
		var options []string
		for _, name := range slices.Sorted(maps.Keys(s.Run.Options)) {
			options = append(options, name+"="+s.Run.Options[name])
		}
		if len(options) > 0 {
			list = append(list, Fact{"Options set", strings.Join(options, ", "), true})
		}
	}
	if s.Fingerprint != "" {
		list = append(list, Fact{"Reduced graph", s.Fingerprint, true})
	}
	return list
}

func (m Machine) String() string {
	parts := []string{fmt.Sprintf("%d cores", m.Cores)}
	if m.Processor != "" {
		parts = slices.Insert(parts, 0, m.Processor)
	}
	if m.Memory > 0 {
		parts = append(parts, budget.Text(m.Memory))
	}
	return strings.Join(append(parts, m.OS), ", ")
}
