package cli

import (
	"fmt"
	"io"
	"strings"

	"bcstage/cpu"
	"bcstage/pipeline"
)

// allWalks stands for all walks that suit a graph, or all sets of the processor.
const allWalks = "all"

// walkTable writes the walks of the largest block of each graph, with their seconds. Column times is a row's least
// seconds over those of the first row with equal other options. If all walks are measured, that is the chosen one.
type walkTable struct {
	w      io.Writer
	widths []int // of all columns but the last
	first  map[equally]float64
	begun  bool
}

// equally holds the options that compared rows share.
type equally struct {
	graph          string
	precision      pipeline.Precision
	lanes, threads int
}

var walkColumns = []string{"graph", "n", "m", "kind", "asked", "walk", "set", "precision", "lanes", "threads", "compute s", "range", "times", "check", "why"}

func newWalkTable(w io.Writer, graphs []string, all []pipeline.Options) *walkTable {
	t := &walkTable{w: w, first: make(map[equally]float64)}
	for i, name := range walkColumns[:len(walkColumns)-1] {
		t.widths = append(t.widths, max(len(name), map[int]int{1: 10, 2: 10, 6: 6, 11: 13, 12: 5, 13: 7}[i]))
	}
	for _, name := range graphs {
		t.widths[0] = max(t.widths[0], len(name))
	}
	for _, name := range cpu.Walks() {
		t.widths[3], t.widths[5] = max(t.widths[3], len(name)), max(t.widths[5], len(name))
	}
	for _, opts := range all {
		t.widths[4], t.widths[7] = max(t.widths[4], len(opts.Walk)), max(t.widths[7], len(opts.Precision))
	}
	return t
}

func (t *walkTable) add(r measurement) error {
	cells := []string{r.Graph, "-", "-", "-", r.Walk, "-", r.Set, string(r.Precision), fmt.Sprint(r.Lanes), fmt.Sprint(r.Threads), "-", "-", "-", "-", r.Failed}
	if r.Failed == "" {
		cells[1], cells[2] = fmt.Sprint(r.Vertices), fmt.Sprint(r.Edges)
		if len(r.Walks) > 0 {
			largest := r.Walks[0]
			cells[3], cells[5], cells[6], cells[7], cells[14] = largest.Kind, largest.Walk, largest.Set, string(largest.Precision), largest.Why
		}
		same := equally{r.Graph, r.Precision, r.Lanes, r.Threads}
		if _, known := t.first[same]; !known {
			t.first[same] = r.Compute.Min
		}
		cells[10], cells[11] = fmt.Sprintf("%.3g", r.Compute.Median), fmt.Sprintf("%.3g-%.3g", r.Compute.Min, r.Compute.Max)
		cells[12], cells[13] = fmt.Sprintf("%.2f", r.Compute.Min/t.first[same]), fmt.Sprintf("%.1e", r.LargestRelative)
	}
	var text strings.Builder
	if !t.begun {
		fmt.Fprintf(&text, "%s\n", r.Machine)
		text.WriteString(aligned(t.widths, walkColumns))
		t.begun = true
	}
	text.WriteString(aligned(t.widths, cells))
	_, err := io.WriteString(t.w, text.String())
	return err
}
