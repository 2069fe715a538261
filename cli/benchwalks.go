package cli

import (
	"fmt"
	"io"

	"bcstage/cpu"
	"bcstage/pipeline"
)

// allWalks stands for all walks that suit a graph, or all sets of the processor.
const allWalks = "all"

// equally holds the options that compared rows share.
type equally struct {
	graph          string
	precision      pipeline.Precision
	lanes, threads int
}

// newWalkTable writes the walks of the largest block of each graph, with their seconds. Column times is a row's least
// seconds over those of the first row with equal other options. If all walks are measured, that is the chosen one.
func newWalkTable(w io.Writer, graphs []string, all []pipeline.Options) func(measurement) error {
	columns := []string{"graph", "n", "m", "kind", "asked", "walk", "set", "precision", "lanes", "threads", "compute s", "range", "times", "check", "why"}
	t := newBenchTable(w, columns, map[int]int{1: 10, 2: 10, 6: 6, 11: 13, 12: 5, 13: 7}, graphs)
	t.title = machineName() + "\n"
	t.fit(3, cpu.Walks()...)
	t.fit(5, cpu.Walks()...)
	for _, opts := range all {
		t.fit(4, opts.Walk)
		t.fit(7, string(opts.Precision))
	}
	first := make(map[equally]float64)
	return func(r measurement) error {
		cells := []string{r.Graph, "-", "-", "-", r.Walk, "-", r.Set, string(r.Precision), fmt.Sprint(r.Lanes), fmt.Sprint(r.Threads), "-", "-", "-", "-", r.Failed}
		if r.Failed == "" {
			cells[1], cells[2] = fmt.Sprint(r.Vertices), fmt.Sprint(r.Edges)
			if len(r.Walks) > 0 {
				largest := r.Walks[0]
				cells[3], cells[5], cells[6], cells[7], cells[14] = largest.Kind, largest.Walk, largest.Set, string(largest.Precision), largest.Why
			}
			same := equally{r.Graph, r.Precision, r.Lanes, r.Threads}
			if _, known := first[same]; !known {
				first[same] = r.Compute.Min
			}
			cells[10], cells[11] = fmt.Sprintf("%.3g", r.Compute.Median), fmt.Sprintf("%.3g-%.3g", r.Compute.Min, r.Compute.Max)
			cells[12], cells[13] = fmt.Sprintf("%.2f", r.Compute.Min/first[same]), fmt.Sprintf("%.1e", r.LargestRelative)
		}
		return t.add(r.Failed == "", cells)
	}
}
