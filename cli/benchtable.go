package cli

import (
	"fmt"
	"io"
	"strings"

	"bcstage/pipeline"
)

// benchTable writes rows as they are made, so that the last row cannot lose an hour's work, and
// progress is visible. Seconds and GTEPS are medians; the range is of GTEPS. Rows that could not
// run wait for one that could: without any, there is no table.
type benchTable struct {
	w      io.Writer
	widths []int // of all columns but the last
	rows   []string
	begun  bool
}

var benchColumns = []string{"graph", "n", "m", "engine", "strategy", "precision", "lanes", "threads", "GTEPS", "range", "compute s", "total s", "check", "shares and choices"}

func newBenchTable(w io.Writer, graphs []string, all []pipeline.Options) *benchTable {
	t := &benchTable{w: w}
	// Widths of unknown values: counts of up to ten digits, and figures of three.
	for i, name := range benchColumns[:len(benchColumns)-1] {
		t.widths = append(t.widths, max(len(name), map[int]int{1: 10, 2: 10, 8: 7, 9: 13}[i]))
	}
	for _, name := range graphs {
		t.widths[0] = max(t.widths[0], len(name))
	}
	for _, opts := range all {
		t.widths[3], t.widths[4] = max(t.widths[3], len(opts.Engine)), max(t.widths[4], len(opts.Strategy))
		t.widths[5] = max(t.widths[5], len(opts.Precision))
	}
	t.rows = []string{aligned(t.widths, benchColumns)}
	return t
}

// aligned formats a line of a table, with the widths of all columns but the last.
func aligned(widths []int, cells []string) string {
	var line strings.Builder
	for i, width := range widths {
		fmt.Fprintf(&line, "%-*s  ", width, cells[i])
	}
	return strings.TrimRight(line.String()+cells[len(cells)-1], " ") + "\n"
}

func (t *benchTable) add(r measurement) error {
	cells := []string{r.Graph, "-", "-", string(r.Engine), r.Strategy, string(r.Precision), fmt.Sprint(r.Lanes), fmt.Sprint(r.Threads), "-", "-", "-", "-", "-", r.Failed}
	if r.Failed == "" {
		cells[1], cells[2] = fmt.Sprint(r.Vertices), fmt.Sprint(r.Edges)
		for i, figure := range []string{
			fmt.Sprintf("%.3g", r.GTEPS.Median), fmt.Sprintf("%.3g-%.3g", r.GTEPS.Min, r.GTEPS.Max),
			fmt.Sprintf("%.3g", r.Compute.Median), fmt.Sprintf("%.3g", r.Total.Median), fmt.Sprintf("%.1e", r.LargestRelative), r.remarks(),
		} {
			cells[8+i] = figure
		}
		t.begun = true
	}
	t.rows = append(t.rows, aligned(t.widths, cells))
	if !t.begun {
		return nil
	}
	_, err := io.WriteString(t.w, strings.Join(t.rows, ""))
	t.rows = nil
	return err
}

// remarks lists the engines' shares and each device's choice for its largest block.
func (m measurement) remarks() string {
	var parts []string
	for _, e := range m.Engines {
		part := fmt.Sprintf("%s %.0f%%", e.Name, 100*e.Share)
		if e.Failed != "" {
			part += " (failed: " + e.Failed + ")"
		}
		parts = append(parts, part)
	}
	largest := map[string]pipeline.DeviceChoice{}
	var devices []string
	for _, choice := range m.Choices {
		before, known := largest[choice.Device]
		if !known {
			devices = append(devices, choice.Device)
		}
		if !known || choice.Vertices > before.Vertices {
			largest[choice.Device] = choice
		}
	}
	for _, name := range devices {
		choice := largest[name]
		what := fmt.Sprintf("%s, %d lanes, %d packs", choice.Strategy, choice.Lanes, choice.Packs)
		if choice.Declined != "" {
			what = "declined, " + choice.Declined
		}
		parts = append(parts, name+": "+what)
	}
	return strings.Join(parts, "; ")
}
